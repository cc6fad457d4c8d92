import { isWellFormed } from "@berth/directory-domain";
import { DirectoryError } from "../errors/directory-error.ts";

const MAX_DEPTH = 32;
// Strings, with the colon that makes one a key, and brackets: sufficient once JSON.parse has accepted the text.
const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/**
 * Parses JSON more strictly than `JSON.parse`: no duplicate keys (readers disagree on which one counts), no `__proto__`,
 * no lone surrogates, at most 32 levels deep.
 * @throws `malformed`.
 */
export function parseJsonText(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed("The body is not valid JSON.");
  }
  const open: (Set<string> | undefined)[] = [];
  for (const [token, colon] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : undefined);
      if (open.length > MAX_DEPTH) throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
    } else if (token === "}" || token === "]") open.pop();
    else checkString(token, colon, open.at(-1));
  }
  return value;
}

function checkString(token: string, colon: string | undefined, keys: Set<string> | undefined): void {
  const literal = colon === undefined ? token : token.slice(0, -colon.length);
  const text = literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  if (!isWellFormed(text)) throw malformed("The body contains a lone surrogate.");
  if (colon === undefined) return;
  if (text === "__proto__") throw malformed("The body contains the key __proto__.");
  if (keys?.has(text)) throw malformed(`The body contains the key ${JSON.stringify(text)} twice in one object.`);
  keys?.add(text);
}

function malformed(detail: string): DirectoryError {
  return new DirectoryError("malformed", detail);
}
