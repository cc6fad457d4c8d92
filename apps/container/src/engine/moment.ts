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
 * A point in time as Docker's filters take it: a Go duration before now (`24h`), Unix seconds (`1136073600.5`) or a date with what it has
 * of RFC 3339 (UTC where no zone stands). Milliseconds since the epoch; undefined for what is none of these.
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

/** The first of moments, however many a client names; never where it names none. */
export function earliest(moments: readonly number[]): number {
  return moments.reduce((first, moment) => Math.min(first, moment), Number.POSITIVE_INFINITY);
}

/** The last of moments; before all others where there is none. */
export function latest(moments: readonly number[]): number {
  return moments.reduce((last, moment) => Math.max(last, moment), Number.NEGATIVE_INFINITY);
}
