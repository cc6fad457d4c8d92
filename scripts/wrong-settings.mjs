// node wrong-settings.mjs: prints every setting of the environment that is wrong, one a line, and ends badly where there is one. Names are
// always checked; values by the services' own rules, once they are built.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Set by the scripts and tests for themselves. */
const INTERNAL = /^BERTH_(TEST_|SETTINGS_FILE$|CONF$)/;

const root = resolve(import.meta.dirname, "..");
const known = new Set(readFileSync(resolve(root, "scripts/settings.txt"), "utf8").split("\n"));

for (const name of Object.keys(process.env))
  if (name.startsWith("BERTH_") && !INTERNAL.test(name) && !known.has(name))
    report(`${name}: is not a setting; docs/operations.md lists them`);

const { BERTH_SERVICES: services = "both" } = process.env;
if (!["", "both", "directory", "container"].includes(services))
  report(`BERTH_SERVICES: want both, directory or container, and this is ${services}`);

for (const service of ["container", "directory"]) {
  const path = resolve(root, `apps/${service}/dist/config.js`);
  if (!existsSync(path)) continue;
  const { readConfig } = await import(pathToFileURL(path).href);
  try {
    readConfig(process.env);
  } catch (fault) {
    for (const line of fault.message.split("\n")) report(line);
  }
}

/** @param {string} fault */
function report(fault) {
  console.log(`  ${fault}`);
  process.exitCode = 1;
}
