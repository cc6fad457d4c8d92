import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { noGoBool, parseGoBool } from "../../engine/go-bool.ts";

const FALSE_WORDS = new Set(["", "0", "no", "false", "none"]);

/** A boolean query parameter by the rule of Go clients: everything but `""`, `0`, `no`, `false` and `none` is true. */
export function flag(options: { readonly absent: boolean } = { absent: false }): z.ZodType<boolean> {
  return z
    .string()
    .optional()
    .transform((text) => (text === undefined ? options.absent : !FALSE_WORDS.has(text.trim().toLowerCase())));
}

/** A boolean of the few queries that dockerd reads with Go's `ParseBool`, which rejects other words; absent and empty mean false. */
export function truth(): z.ZodType<boolean> {
  return z
    .string()
    .optional()
    .transform((text, context) => {
      const value = text === undefined || text === "" ? false : parseGoBool(text);
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: noGoBool(text ?? "") });
      return z.NEVER;
    });
}

/** A whole number; undefined if absent or empty. */
export function wholeNumber(): z.ZodType<number | undefined> {
  return z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined || text === "") return undefined;
      if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
      context.addIssue({ code: "custom", message: `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax` });
      return z.NEVER;
    });
}

/** A text; "" if absent, as in Go. */
export function text(): z.ZodType<string> {
  return z
    .string()
    .optional()
    .transform((value) => value ?? "");
}

/** Parses a query by its schema. Ignores unknown keys, since some clients repeat the body there. Throws `invalid`. */
export function parseQuery<T>(schema: z.ZodType<T>, query: Readonly<Record<string, string>>): T {
  const nul = Object.entries(query).find(([, value]) => value.includes("\u0000"));
  if (nul !== undefined) throw new EngineError("invalid", `query parameter ${nul[0]}: a NUL byte is not allowed`);
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new EngineError("invalid", `query parameter ${issue?.path.join(".")}: ${issue?.message}`);
}

/** Nanoseconds since the epoch of a Unix time `seconds[.fraction]` or an RFC 3339 time; undefined if absent. */
export function parseTimestamp(name: string, value: string): bigint | undefined {
  if (value === "") return undefined;
  const unix = /^(-?\d{1,15})(?:\.(\d{1,9}))?$/.exec(value);
  if (unix !== null) {
    return BigInt(unix[1] ?? "0") * 1_000_000_000n + BigInt((unix[2] ?? "").padEnd(9, "0"));
  }
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value}${value.includes("T") ? "" : "T00:00:00"}Z`;
  const milliseconds = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(milliseconds)) {
    throw new EngineError(
      "invalid",
      `query parameter ${name}: ${JSON.stringify(value)} is neither a unix time nor RFC 3339`,
    );
  }
  const fraction = /\.(\d{1,9})/.exec(value)?.[1] ?? "";
  const seconds = BigInt(Math.floor(milliseconds / 1000));
  return seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/** Formats a time as RFC 3339 in UTC with nanoseconds. */
export function formatTimestamp(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const milliseconds = Number((nanoseconds - fraction) / 1_000_000n);
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, `.${fraction.toString().padStart(9, "0")}Z`);
}
