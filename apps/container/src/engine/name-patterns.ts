import { RE2JS } from "re2js";
import { EngineError } from "./errors.ts";
import type { Filters } from "./filters.ts";

/**
 * How the values of filters such as `name` match: as Go's regular expressions, anywhere in the text (moby `filters.Match`). They
 * run in linear time: one of JavaScript's could hold up everyone for as long as its author likes. Throws `invalid` on a value that
 * is none.
 */
export function namePatterns(filters: Filters, keys: readonly string[]): (value: string, text: string) => boolean {
  const patterns = new Map(
    keys.flatMap((key) =>
      (filters.get(key) ?? []).map((value) => {
        try {
          return [value, RE2JS.compile(value)] as const;
        } catch {
          throw new EngineError("invalid", `Invalid filter '${key}=${value}': not a regular expression`);
        }
      }),
    ),
  );
  return (value, text) => value === text || patterns.get(value)?.test(text) === true;
}
