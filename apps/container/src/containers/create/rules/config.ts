import type { HealthConfig } from "../../records/config.ts";
import { isSignal } from "../../records/signals.ts";
import type { Rule } from "./rule.ts";

const MILLISECOND = 1_000_000;

export const CONFIG_RULES: readonly Rule[] = [
  ({ config: { Image, Cmd, Entrypoint } }) => {
    if (Image !== "") return undefined;
    return [...(Cmd ?? []), ...(Entrypoint ?? [])].length > 0
      ? "no image specified: Image is required"
      : "no command specified, and no image: Image is required";
  },
  ({ config: { WorkingDir } }) =>
    WorkingDir !== "" && !WorkingDir.startsWith("/")
      ? `the working directory '${WorkingDir}' is invalid, it needs to be an absolute path`
      : undefined,
  ({ config: { StopSignal = "" } }) =>
    StopSignal === "" || isSignal(StopSignal) ? undefined : `invalid signal: ${StopSignal}`,
  ({ config: { Env } }) => {
    const bad = Env.find((entry) => entry === "" || entry.startsWith("="));
    return bad === undefined ? undefined : `invalid environment variable: ${bad}`;
  },
  ({ config: { Hostname } }) =>
    Hostname.length > 63 || (Hostname !== "" && !/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(Hostname))
      ? `invalid hostname: ${JSON.stringify(Hostname)}: at most 63 letters, digits, dots and hyphens`
      : undefined,
  ({ config: { Healthcheck } }) => validateHealthcheck(Healthcheck),
];

function validateHealthcheck(health: HealthConfig | undefined): string | undefined {
  if (health === undefined) return undefined;
  const short = (["Interval", "Timeout", "StartPeriod", "StartInterval"] as const).find((field) => {
    const duration = health[field] ?? 0;
    return duration !== 0 && duration < MILLISECOND;
  });
  if (short !== undefined) return `${short} in Healthcheck cannot be less than 1ms`;
  return (health.Retries ?? 0) < 0 ? "Retries in Healthcheck cannot be negative" : undefined;
}
