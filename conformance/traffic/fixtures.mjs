import { readdirSync } from "node:fs";
import { join } from "node:path";

const NAME = /^dockerd-1\.(\d+)\.fixture\.json$/;

/**
 * The file with the recording of a CLI that speaks an API version.
 * @param {string} version
 */
export function fixtureOf(version) {
  return join(import.meta.dirname, `dockerd-${version}.fixture.json`);
}

/**
 * The file with the recording for a CLI: of its own API version, or else of the next newer one, whose answers have the same fields.
 * @param {string} version
 */
export function nearestFixture(version) {
  const minor = Number(version.split(".")[1]);
  const recorded = readdirSync(import.meta.dirname)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
  return fixtureOf(`1.${recorded.find((one) => one >= minor) ?? recorded.at(-1)}`);
}
