const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
  p: 2 ** 50,
};

/** Bytes as Docker writes them: `512m`, `1.5g`, `4GiB`; undefined for anything else. */
export function bytesOf(amount: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?) ?([kmgtp]?)(?:i?b)?$/i.exec(amount) ?? /^(\d+)(b)$/i.exec(amount);
  const unit = UNITS[(match?.[2] ?? "").toLowerCase()];
  return match === null || unit === undefined ? undefined : Math.floor(Number(match[1]) * unit);
}
