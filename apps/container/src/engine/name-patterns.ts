import { RE2JS } from "re2js";
import { EngineError } from "./errors.ts";
import type { Filters } from "./filters.ts";

/** Compiling takes up to a millisecond for each character, during which nobody else is served; a repetition stands for many. */
const MOST_CHARACTERS = 256;
const CHARACTERS_OF_REPETITION = 64;

/** Without any character that means something in an expression. */
const LITERAL = /^[\w/:@, =-]*$/;

interface Pattern {
  test(text: string): boolean;
}

/**
 * Matchers for filters such as `name`: Go regular expressions that match anywhere in the text (moby `filters.Match`). They run in
 * linear time, since a client's JavaScript expression could block the process. Throws `invalid` for an invalid expression, and for more
 * than {@link MOST_CHARACTERS} of them.
 */
export function namePatterns(filters: Filters, keys: readonly string[]): (value: string, text: string) => boolean {
  let characters = 0;
  const compiled = (key: string, value: string): Pattern => {
    if (LITERAL.test(value)) return { test: (text) => text.includes(value) };
    characters += value.length + value.split("{").length * CHARACTERS_OF_REPETITION - CHARACTERS_OF_REPETITION;
    if (characters > MOST_CHARACTERS)
      throw new EngineError(
        "invalid",
        `invalid filter '${key}': regular expressions can have ${MOST_CHARACTERS} characters together, of which a repetition such as {2} counts as ${CHARACTERS_OF_REPETITION}`,
      );
    try {
      return RE2JS.compile(value);
    } catch {
      throw new EngineError("invalid", `invalid filter '${key}=${value}': not a regular expression`);
    }
  };
  const patterns = new Map(
    keys.flatMap((key) => (filters.get(key) ?? []).map((value) => [value, compiled(key, value)] as const)),
  );
  return (value, text) => value === text || patterns.get(value)?.test(text) === true;
}
