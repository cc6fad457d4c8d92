import type { HostConfig } from "../../records/config.ts";
import { validateLogValues } from "../../records/log-options.ts";

/** Options of every log driver. */
const LOG_MODES = ["mode", "max-buffer-size"];

/** The options of each dockerd log driver. */
const LOG_DRIVERS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "json-file",
    ["max-file", "max-size", "compress", "labels", "labels-regex", "env", "env-regex", "tag", ...LOG_MODES],
  ],
  ["local", ["max-file", "max-size", "compress", ...LOG_MODES]],
  ["none", []],
]);

function validateOptions({ Type, Config }: HostConfig["LogConfig"]): string | undefined {
  const unknown = Object.keys(Config).find((option) => !LOG_DRIVERS.get(Type)?.includes(option));
  return unknown === undefined || Type === "none" ? undefined : `unknown log opt '${unknown}' for ${Type} log driver`;
}

/** Returns dockerd's message for an invalid log driver or option; undefined if both are valid. */
export function validateLog(log: HostConfig["LogConfig"]): string | undefined {
  if (!LOG_DRIVERS.has(log.Type)) return `logger: no log driver named '${log.Type}' is registered`;
  return validateOptions(log) ?? validateLogValues(log);
}
