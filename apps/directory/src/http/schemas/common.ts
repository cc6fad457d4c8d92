import type { Result } from "@berth/port-spec";
import { z } from "@hono/zod-openapi";

/** A text validated by `parse`, whose error becomes the issue's message. */
export function parsedText(parse: (text: string) => Result<string, string>, limits: { readonly maxLength: number }) {
  return z
    .string()
    .transform((text, context) => {
      const parsed = parse(text);
      if (parsed.ok) return parsed.value;
      context.addIssue({ code: "custom", message: parsed.error });
      return z.NEVER;
    })
    .openapi({ type: "string", minLength: 1, maxLength: limits.maxLength });
}

/** Null or what `schema` accepts; a declared type must say so itself. */
export function nullable<S extends z.ZodType>(schema: S) {
  return schema.nullable().openapi({ type: ["string", "null"] });
}

export const instantSchema = z
  .string()
  .max(64)
  .pipe(
    z.iso.datetime({
      offset: true,
      message: "must be an ISO 8601 instant with offset, such as 2030-01-31T00:00:00Z",
    }),
  )
  .transform((text) => new Date(text).toISOString())
  .openapi({ type: "string", format: "date-time" });

/** A record's id in another system. */
export const externalIdSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{C}]*$/u, "must not hold control characters");

export const noteSchema = z
  .string()
  .max(500)
  .regex(/^[^\p{Cc}]*$/u, "must not hold control characters")
  .nullable();

const flag = z.enum(["true", "false"]).transform((text) => text === "true");

const limitSchema = z
  .string()
  .regex(/^(?:[1-9]\d?|1\d\d|200)$/, "must be a whole number from 1 to 200")
  .transform(Number)
  .openapi({ type: "integer", minimum: 1, maximum: 200 });

/** Parameters of every list. */
export const PAGE_PARAMETERS = {
  limit: limitSchema.optional(),
  cursor: z.string().max(1_000).optional(),
};
export const COUNT_PARAMETER = { count: flag.optional() };
export const FLAG_SCHEMA = flag;

export const idQuery = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "must be a whole number from 1 to 2^53-1")
  .transform(Number)
  .refine(Number.isSafeInteger, "must be a whole number from 1 to 2^53-1")
  .openapi({ type: "integer" });

/** `?sort=login` or `?sort=-login` for descending. */
export function sortParameter<const T extends readonly [string, ...string[]]>(keys: T) {
  const words = keys.flatMap((key) => [key, `-${key}`]);
  return z
    .enum(words as [string, ...string[]])
    .default(keys[0])
    .transform((word) => ({
      by: word.replace(/^-/, "") as T[number],
      order: word.startsWith("-") ? ("descending" as const) : ("ascending" as const),
    }))
    .openapi({ type: "string", enum: words, default: keys[0] });
}

export const idSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const STAMP_SCHEMAS = { version: z.int(), createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() };
