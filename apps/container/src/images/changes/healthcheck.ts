import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";
import { execForm } from "./shell-words.ts";

/** Nanoseconds in Go's units of time. */
const UNIT_NS: Readonly<Record<string, number>> = { h: 3.6e12, m: 6e10, s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, ns: 1 };
const DURATION_FIELDS = new Map([
  ["interval", "Interval"],
  ["timeout", "Timeout"],
  ["start-period", "StartPeriod"],
  ["start-interval", "StartInterval"],
]);
const MIN_NS = 1e6;

/** `HEALTHCHECK NONE` or `HEALTHCHECK [--interval=30s …] CMD …`, as Docker stores it: durations in nanoseconds. */
export function parseHealthcheck(argument: string): Result<Readonly<Record<string, unknown>>, string> {
  const fields: Record<string, unknown> = {};
  let rest = argument;
  for (;;) {
    const flag = /^--([a-z-]+)=(\S+)\s*/.exec(rest);
    if (flag === null) break;
    const [whole, name = "", value = ""] = flag;
    rest = rest.slice(whole.length);
    const field = DURATION_FIELDS.get(name);
    if (field !== undefined) {
      const duration = parseDuration(value);
      if (duration === undefined) return err(`invalid duration "${value}" of --${name}`);
      if (duration !== 0 && duration < MIN_NS) return err(`Interval "${name}" cannot be less than 1ms`);
      fields[field] = duration;
    } else if (name === "retries") {
      if (!/^\d{1,9}$/.test(value)) return err(`--retries must be a number that is not negative, not "${value}"`);
      fields.Retries = Number(value);
    } else return err(`unknown flag: ${name}`);
  }
  const [, kind = "", command = ""] = /^(\S*)\s*(.*)$/s.exec(rest) ?? [];
  switch (kind.toUpperCase()) {
    case "NONE":
      return command === "" && Object.keys(fields).length === 0
        ? ok({ Test: ["NONE"] })
        : err("HEALTHCHECK NONE takes no arguments");
    case "CMD": {
      if (command === "") return err("Missing command after HEALTHCHECK CMD");
      const exec = execForm(command);
      return ok({ Test: exec === undefined ? ["CMD-SHELL", command] : ["CMD", ...exec], ...fields });
    }
    case "":
      return err("Missing command after HEALTHCHECK");
    default:
      return err(`Unknown type "${kind.toUpperCase()}" in HEALTHCHECK (try CMD)`);
  }
}

function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return text === "0" ? 0 : undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)];
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (UNIT_NS[unit] ?? 0), 0);
}
