// node wrong-settings.mjs: prints every setting of the environment that is wrong, one a line, and ends badly where there is one. Names, files
// and the scripts' own settings are always checked; the services' by their own rules, once they are built.
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { addressesToBind, overlap } from "./preflight-ports.mjs";

/** Set by the scripts and tests for themselves. */
const INTERNAL = /^BERTH_(TEST_|SETTINGS_FILE$|CONF$)/;

const root = resolve(import.meta.dirname, "..");
const known = new Set(readFileSync(resolve(root, "scripts/settings.txt"), "utf8").split("\n"));

/** Settings that name a file, which has to be there. */
const FILES =
  /^(BERTH_(DIRECTORY_)?TLS_(CERT|KEY|CA|CRL)|BERTH_DIRECTORY_TOKEN_FILE|BERTH_OIDC_CLIENT_SECRET_FILE|BERTH_SECOND_FACTOR_KEY_FILE|NODE_EXTRA_CA_CERTS)$/;

/** The scripts' own settings: their form, and what a fault says. @type {Record<string, [RegExp, string]>} */
const FORMS = {
  BERTH_SERVICES: [/^(both|directory|container)$/, "want both, directory or container"],
  BERTH_BIN: [/^\//, "want an absolute path"],
  BERTH_DEMO_PORT: [
    /^([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$/,
    "want a port from 1 to 65535",
  ],
  // They become lines of postgresql.conf.
  BERTH_POSTGRES_OPTIONS: [/^\s*([a-z_][a-z0-9_.]*=[^\s']+\s*)*$/, "want name=value with spaces between them"],
};

const faults = new Set();
for (const [name, value = ""] of Object.entries(process.env)) {
  if (name.startsWith("BERTH_") && !INTERNAL.test(name) && !known.has(name))
    faults.add(`${name}: is not a setting; docs/operations.md lists them`);
  const [form, wanted] = FORMS[name] ?? [];
  if (form !== undefined && value !== "" && !form.test(value)) faults.add(`${name}: ${wanted}`);
  if (FILES.test(name) && value !== "" && !isReadable(value)) faults.add(`${name}: ${value} cannot be read`);
}

const bound = addressesToBind(process.env).filter(({ required }) => required);
for (const [index, { setting, address }] of bound.entries()) {
  const other = bound.slice(0, index).find((one) => overlap(one.address, address));
  if (other !== undefined) faults.add(`${setting}: want another address, since ${other.setting} has this one`);
}

for (const service of ["container", "directory"]) {
  const path = resolve(root, `apps/${service}/dist/bundle/config.js`);
  if (!existsSync(path)) continue;
  const { readConfig } = await import(pathToFileURL(path).href);
  try {
    readConfig(process.env);
  } catch (fault) {
    for (const line of fault.message.split("\n")) faults.add(line);
  }
}
for (const fault of [...faults].sort()) console.log(`  ${fault}`);
process.exitCode = faults.size === 0 ? 0 : 1;

/** @param {string} path */
function isReadable(path) {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
