import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OwnBerth, startBerth } from "../../berth.testing.ts";
import { differ, explained, type Found } from "../differ.testing.ts";
import { DIFFERENCES } from "./differences.testing.ts";
import { unpacked } from "./pack.mjs";
import { type ByVersion, playVersions } from "./play.mjs";
import { startRegistry } from "./registry.mjs";

// Of its own, because the recording has all that an engine lists.
let berth: OwnBerth;
const folder = mkdtempSync(join(tmpdir(), "traffic-versions-"));

/** What changes something is asked at the first version of each way to answer, and at the last. */
const CHANGING_AT = ["1.24", "1.30", "1.41", "1.42", "1.43", "1.44", "1.45", "1.48", "1.51", "1.12", "1.20", "1.23"];

function fixture(name: string): ByVersion {
  return unpacked(readFileSync(join(import.meta.dirname, name), "utf8"));
}

/** dockerd 28.5 begins with 1.24: what is older is of 20.10. */
const recorded = both(fixture("dockerd.fixture.json"), fixture("legacy.fixture.json"));
let played: ByVersion = {};
let found: readonly Found[] = [];

beforeAll(async () => {
  berth = await startBerth();
  const registry = await startRegistry(folder);
  try {
    played = await playVersions(berth.socket, { registry: registry.address, versionsOf, changingAt: CHANGING_AT });
  } finally {
    registry.close();
  }
  found = alike(differ(recordingOf(recorded), recordingOf(played)));
}, 300_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await berth?.close();
});

describe("every request at every version, beside its recording on dockerd", () => {
  test("is the one that was recorded", () => {
    expect(Object.keys(played).toSorted()).toEqual(Object.keys(recorded).toSorted());
  });

  test("differs only where a difference is named", () => {
    const { rest } = explained(found, DIFFERENCES);
    expect(rest.map((one) => `${one.where}: ${one.place}: ${one.recorded} -> ${one.played}`)).toEqual([]);
  });

  test("has every difference that is named", () => {
    expect(explained(found, DIFFERENCES).unused).toEqual([]);
  });
});

/** The first and the last version of each run of versions at which the recording has the same answer. */
function versionsOf(line: string): readonly string[] {
  const answers = Object.entries(recorded[line] ?? {}).map(
    ([version, shape]) => [version, JSON.stringify(shape)] as const,
  );
  return answers
    .filter(([, shape], at) => answers[at - 1]?.[1] !== shape || answers[at + 1]?.[1] !== shape)
    .map(([version]) => version);
}

function both(newer: ByVersion, older: ByVersion): ByVersion {
  const lines = new Set([...Object.keys(newer), ...Object.keys(older)]);
  return Object.fromEntries([...lines].map((line) => [line, { ...older[line], ...newer[line] }]));
}

function recordingOf(byVersion: ByVersion) {
  return Object.fromEntries(Object.entries(byVersion).map(([line, exchanges]) => [line, { codes: [], exchanges }]));
}

/** What differs alike at several versions is one difference. */
function alike(all: readonly Found[]): readonly Found[] {
  const one = new Map<string, Found>();
  for (const each of all) {
    const where = each.where.replace(/ > (none|1\.\d+)$/, "");
    one.set(JSON.stringify([where, each.place, each.recorded, each.played]), { ...each, where });
  }
  return [...one.values()];
}
