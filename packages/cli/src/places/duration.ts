import { Refused } from "../api.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of a duration as people write it: `90s`, `30m`, `1h30m`, `2d`. */
export function secondsOf(text: string): number {
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  const seconds = parts.reduce((sum, [, amount = "", unit = ""]) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
  if (parts.map(([part]) => part).join("") !== text || seconds === 0)
    throw new Refused(`--for ${text}: want a time such as 30m, 2h or 1h30m`);
  return seconds;
}

/** What is left of a place's time, in its two largest units; null where it lasts until it is given back. */
export function leftOf(seconds: number | null): string {
  if (seconds === null) return "until given back";
  const whole = Math.max(0, Math.round(seconds));
  const parts = (["d", "h", "m", "s"] as const).map((unit, at, units) => {
    const above = units[at - 1];
    const rest = above === undefined ? whole : whole % (UNITS[above] ?? 1);
    return [Math.floor(rest / (UNITS[unit] ?? 1)), unit] as const;
  });
  const first = parts.findIndex(([amount]) => amount > 0);
  if (first === -1) return "0s";
  const largest = parts.slice(first, first + 2).filter(([amount]) => amount > 0);
  return largest.map(([amount, unit]) => `${amount}${unit}`).join(" ");
}
