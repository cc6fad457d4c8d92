import { RE2JS } from "re2js";
import { EngineError } from "./errors.ts";
import type { Filters } from "./filters.ts";

/**
 * Matchers for filters such as `name`: Go regular expressions that match anywhere in the text (moby `filters.Match`). They run in
 * linear time, since a client's JavaScript expression could block the process. Throws `invalid` for an invalid expression.
 */
export function namePatterns(filters: Filters, keys: readonly string[]): (value: string, text: string) => boolean {
  const patterns = new Map(
    keys.flatMap((key) =>
      (filters.get(key) ?? []).map((value) => {
        try {
          return [value, RE2JS.compile(value)] as const;
        } catch {
          throw new EngineError("invalid", `invalid filter '${key}=${value}': not a regular expression`);
        }
      }),
    ),
  );
  return (value, text) => value === text || patterns.get(value)?.test(text) === true;
}
