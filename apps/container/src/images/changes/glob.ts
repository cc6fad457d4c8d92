import { RE2JS } from "re2js";

/** A pattern that is matched against names. */
export type Glob = Pick<RE2JS, "test">;

/**
 * A pattern of Go's `path.Match` as an expression: `*` and `?` stop at a slash, `[a-z]` and `[^a-z]` are sets, `\` quotes.
 * Undefined if the pattern is malformed.
 */
export function globExpression(pattern: string): Glob | undefined {
  let source = "";
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern.charAt(at);
    if (letter === "*") source += "[^/]*";
    else if (letter === "?") source += "[^/]";
    else if (letter === "[") {
      const end = endOfSet(pattern, at);
      if (end === undefined) return undefined;
      const set = pattern.slice(at + 1, end);
      source += set.startsWith("^") ? `[^${quoteSet(set.slice(1))}]` : `[${quoteSet(set)}]`;
      at = end;
    } else if (letter === "\\") {
      at++;
      if (at === pattern.length) return undefined;
      source += quote(pattern.charAt(at));
    } else source += quote(letter);
  }
  try {
    // In linear time: a JavaScript expression with many stars could block the service for hours.
    return RE2JS.compile(`^${source}$`, RE2JS.DOTALL);
  } catch {
    return undefined; // a range the wrong way round
  }
}

function endOfSet(pattern: string, start: number): number | undefined {
  const first = pattern.charAt(start + 1) === "^" ? start + 2 : start + 1;
  for (let at = first; at < pattern.length; at++) {
    if (pattern.charAt(at) === "\\") at++;
    else if (pattern.charAt(at) === "]" && at > first) return at;
  }
  return undefined;
}

function quote(letter: string): string {
  return letter.replace(/[.*+?^${}()|[\]\\/-]/, "\\$&");
}

function quoteSet(set: string): string {
  return set.replace(/[[^]/g, "\\$&");
}
