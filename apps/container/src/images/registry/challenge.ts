/** One authentication scheme offered by a registry (RFC 9110, section 11.6.1). */
export interface Challenge {
  /** Lower case. */
  readonly scheme: string;
  /** Keys are lower case. */
  readonly parameters: Readonly<Record<string, string>>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const CHALLENGE_START = new RegExp(`^[\\s,]*(${TOKEN})(?:\\s+|\\s*$|\\s*,)`);
const PARAMETER = new RegExp(`^[\\s,]*(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}))`);

/** Parses the `WWW-Authenticate` header up to the first syntax error. */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: Challenge[] = [];
  let rest = header.slice(0, 8192);
  for (;;) {
    const start = CHALLENGE_START.exec(rest);
    if (start === null) return challenges;
    rest = rest.slice(start[0].length);
    const parameters: Record<string, string> = {};
    for (;;) {
      const found = PARAMETER.exec(rest);
      if (found === null) break;
      parameters[(found[1] ?? "").toLowerCase()] = found[2]?.replace(/\\(.)/g, "$1") ?? found[3] ?? "";
      rest = rest.slice(found[0].length);
    }
    challenges.push({ scheme: (start[1] ?? "").toLowerCase(), parameters });
  }
}
