/** The current time, injected so that tests can set it. */
export interface Clock {
  /** The current time as RFC 3339 in UTC, with microseconds. */
  now(): string;
}

/** The wall clock with the microseconds of the process's monotonic clock, so that it never runs backwards within a second. */
export const SYSTEM_CLOCK: Clock = {
  now() {
    const micros = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000));
    const whole = new Date(Number(micros / 1000n)).toISOString().slice(0, -1);
    return `${whole}${String(micros % 1000n).padStart(3, "0")}Z`;
  },
};
