import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";

/** Looks up a variable; undefined if it is not set. */
export type Variables = ReadonlyMap<string, string>;

/** What the words may have together, in letters: variables that name others would double with each instruction. */
const MOST_LETTERS = 256 * 1024;

const VARIABLE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::([-+])([^}]*))?\})/;

/**
 * Splits a Dockerfile instruction's arguments at white space and takes their quotes off, as BuildKit's shell lexer does:
 * `"…"` and bare words know `\` and `$NAME`, `${NAME}`, `${NAME:-otherwise}`, `${NAME:+instead}`; `'…'` is taken as it stands.
 * The error says what is wrong.
 */
export function shellWords(text: string, variables: Variables): Result<readonly string[], string> {
  const words: string[] = [];
  let letters = 0;
  let word = "";
  let inWord = false;
  let quote: "" | '"' | "'" = "";
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (quote === "'") {
      if (letter === "'") quote = "";
      else word += letter;
      continue;
    }
    if (quote === "" && /\s/.test(letter)) {
      if (inWord) words.push(word);
      word = "";
      inWord = false;
      continue;
    }
    inWord = true;
    if (letter === quote) quote = "";
    else if (quote === "" && (letter === '"' || letter === "'")) quote = letter;
    else if (letter === "\\" && at + 1 < text.length) {
      at++;
      // Inside quotes a backslash escapes only special characters.
      const next = text.charAt(at);
      word += quote === '"' && !/["$\\]/.test(next) ? `\\${next}` : next;
    } else {
      const found = letter === "$" ? VARIABLE.exec(text.slice(at)) : null;
      if (found === null) word += letter;
      else {
        const value = expand(found, variables);
        letters += value.length;
        if (letters > MOST_LETTERS) return err(`more than ${MOST_LETTERS} characters with its variables`);
        word += value;
        at += found[0].length - 1;
      }
    }
  }
  if (quote !== "") return err("a quote is not closed");
  if (inWord) words.push(word);
  return ok(words);
}

function expand(found: RegExpExecArray, variables: Variables): string {
  const [, bare, braced, sign, word = ""] = found;
  const value = variables.get(bare ?? braced ?? "") ?? "";
  if (sign === "-") return value === "" ? word : value;
  if (sign === "+") return value === "" ? "" : word;
  return value;
}

/** `["a", "b"]`, the exec form; undefined for anything else. */
export function execForm(argument: string): readonly string[] | undefined {
  if (!argument.startsWith("[")) return undefined;
  try {
    const parsed: unknown = JSON.parse(argument);
    return Array.isArray(parsed) && parsed.every((item): item is string => typeof item === "string")
      ? parsed
      : undefined;
  } catch {
    return undefined;
  }
}
