// node wrong-settings.mjs: prints every setting of the environment that is wrong, and ends badly where there is one.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");
const known = new Set(readFileSync(resolve(root, "scripts/settings.txt"), "utf8").split("\n"));

/**
 * What is wrong with the settings. Names are always checked; values by the services' own rules, once they are built.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string[]} `NAME: what is wrong`
 */
export function wrongSettings(env) {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith("BERTH_") && !INTERNAL.test(name) && !known.has(name),
  );
  return [
    ...unknown.map((name) => `${name}: is not a setting; docs/operations.md lists them`),
    ...readers.flatMap((readConfig) => faultsOf(() => readConfig(env))),
  ];
}

/** Set by the scripts and tests for themselves. */
const INTERNAL = /^BERTH_(TEST_|SETTINGS_FILE$|CONF$)/;

/** @type {((env: Readonly<Record<string, string | undefined>>) => unknown)[]} */
const readers = [];
for (const service of ["container", "directory"]) {
  const path = resolve(root, `apps/${service}/dist/config.js`);
  // A build of other sources may not load: what it says of settings is asked again after the build.
  if (existsSync(path))
    await import(pathToFileURL(path).href).then((built) => readers.push(built.readConfig)).catch(() => undefined);
}

/** @param {() => unknown} read */
function faultsOf(read) {
  try {
    read();
    return [];
  } catch (fault) {
    return fault instanceof Error ? fault.message.split("\n") : [String(fault)];
  }
}

if (process.argv[1] === import.meta.filename) {
  const wrong = wrongSettings(process.env);
  for (const one of wrong) console.error(`  ${one}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
