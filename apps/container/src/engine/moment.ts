/** Go's zero time, which Docker shows for a missing time. */
export const ZERO_TIME = "0001-01-01T00:00:00Z";

const UNIT_MS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};
const DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}(?::\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Parses a time as Docker's filters accept it: a Go duration before now (`24h`), Unix seconds (`1136073600.5`) or a full or partial
 * RFC 3339 date (UTC without a zone). Returns milliseconds since the epoch; undefined if it is none of these.
 */
export function parseMoment(text: string, nowMs: number): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (DURATION.test(text)) {
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)];
    return parts.reduce((past, [, amount, unit = ""]) => past - Number(amount) * (UNIT_MS[unit] ?? 0), nowMs);
  }
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, date, clock = "00", zone = "Z"] = match;
  const whole = clock.length === 2 ? `${clock}:00` : clock;
  const parsed = Date.parse(`${date}T${whole}${zone}`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** Milliseconds as Go writes a duration: `50ms`, `1.5s`, `1m0s`, `1h0m30s`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? "0s" : `${ms * 1000}µs`;
  if (ms < 1000) return `${ms}ms`;
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor((ms % 3_600_000) / 60_000)];
  const seconds = `${(ms % 60_000) / 1000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

/** The earliest of the given times; never (Infinity) without one. */
export function earliest(moments: readonly number[]): number {
  return moments.reduce((first, moment) => Math.min(first, moment), Number.POSITIVE_INFINITY);
}

/** The latest of the given times; before all others (-Infinity) without one. */
export function latest(moments: readonly number[]): number {
  return moments.reduce((last, moment) => Math.max(last, moment), Number.NEGATIVE_INFINITY);
}
