/** One way that a registry offers to authenticate (RFC 9110, section 11.6.1). */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** With lower-case keys. */
  readonly parameters: Readonly<Record<string, string>>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const challengeStart = new RegExp(`^[\\s,]*(${token})(?:\\s+|\\s*$|\\s*,)`);
const parameter = new RegExp(`^[\\s,]*(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`);

/** Parses the `WWW-Authenticate` header; what it does not understand ends the reading. */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: Challenge[] = [];
  let rest = header.slice(0, 8192);
  for (;;) {
    const start = challengeStart.exec(rest);
    if (start === null) return challenges;
    rest = rest.slice(start[0].length);
    const parameters: Record<string, string> = {};
    for (;;) {
      const found = parameter.exec(rest);
      if (found === null) break;
      parameters[(found[1] ?? "").toLowerCase()] = found[2]?.replace(/\\(.)/g, "$1") ?? found[3] ?? "";
      rest = rest.slice(found[0].length);
    }
    challenges.push({ scheme: (start[1] ?? "").toLowerCase(), parameters });
  }
}
