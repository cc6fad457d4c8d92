/** More stars than anyone means by a pattern, and few enough that matching stays cheap. */
export const MAX_STARS = 8;
export const MAX_PATTERN_LENGTH = 512;

/**
 * Whether `text` matches `pattern`, where `*` stands for any run of characters, `/` and `:` among them.
 * Greedy with one point of return, so that no pattern takes more than pattern × text steps.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
