import type { ContainerConfig, HealthConfig } from "./config.ts";
import type { ContainerState, Health } from "./container.ts";

export interface Probe {
  readonly start: string;
  readonly end: string;
  /** 0 healthy, 1 unhealthy, -1 if it timed out or could not run. */
  readonly exitCode: number;
  readonly output: string;
}

/** A health check with Docker's defaults set; times in milliseconds. */
export interface HealthCheck {
  readonly args: readonly string[];
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly startPeriodMs: number;
  /** The interval of probes while the container starts. */
  readonly startIntervalMs: number;
  readonly retries: number;
}

const KEPT_PROBES = 5;

function milliseconds(nanoseconds: number | undefined, byDefault: number): number {
  return nanoseconds ? nanoseconds / 1_000_000 : byDefault;
}

function argsOf({ Test = [] }: HealthConfig, shell: readonly string[] | undefined): readonly string[] | undefined {
  const [kind, ...rest] = Test;
  if (kind === "CMD") return rest;
  if (kind === "CMD-SHELL") return [...(shell ?? ["/bin/sh", "-c"]), ...rest];
  return undefined;
}

/** The configuration's health check; undefined if it has none (`NONE`, or no test). */
export function healthCheckOf({
  Healthcheck,
  Shell,
}: Pick<ContainerConfig, "Healthcheck" | "Shell">): HealthCheck | undefined {
  const args = Healthcheck && argsOf(Healthcheck, Shell);
  if (!args || args.length === 0) return undefined;
  return {
    args,
    intervalMs: milliseconds(Healthcheck.Interval, 30_000),
    timeoutMs: milliseconds(Healthcheck.Timeout, 30_000),
    startPeriodMs: milliseconds(Healthcheck.StartPeriod, 0),
    startIntervalMs: milliseconds(Healthcheck.StartInterval, 5_000),
    retries: Healthcheck.Retries || 3,
  };
}

/** Whether the start period is not over at `now` (RFC 3339). */
export function isInStartPeriod(
  { startPeriodMs }: Pick<HealthCheck, "startPeriodMs">,
  { startedAt }: Pick<ContainerState, "startedAt">,
  now: string,
): boolean {
  return Date.parse(now) - Date.parse(startedAt ?? now) < startPeriodMs;
}

/** The time until the next probe: probes are more frequent until the container is healthy or its start period over (moby `monitor`). */
export function nextProbeMs(
  check: Pick<HealthCheck, "intervalMs" | "startPeriodMs" | "startIntervalMs">,
  state: Pick<ContainerState, "startedAt" | "health">,
  now: string,
): number {
  const starting = state.health === undefined || state.health.status === "starting";
  return starting && isInStartPeriod(check, state, now) ? check.startIntervalMs : check.intervalMs;
}

export const STARTING: Health = { status: "starting", failingStreak: 0, log: [] };

/**
 * The health after one more probe (moby `handleProbeResult`). One success means healthy; `retries` consecutive failures mean unhealthy.
 * A failure during the start period does not count unless the container was healthy before.
 */
export function afterProbe(
  health: Health,
  probe: Probe,
  check: Pick<HealthCheck, "retries">,
  options: { readonly inStartPeriod: boolean },
): Health {
  const log = [...health.log, probe].slice(-KEPT_PROBES);
  if (probe.exitCode === 0) return { status: "healthy", failingStreak: 0, log };
  if (options.inStartPeriod && health.status === "starting") return { ...health, log };
  const failingStreak = health.failingStreak + 1;
  return { status: failingStreak >= check.retries ? "unhealthy" : health.status, failingStreak, log };
}
