import { z } from "zod";

/**
 * Schemas that read JSON as Go's decoder does: keys match in any case, `null` is the zero value, unknown fields are ignored. Unlike in
 * dockerd, a wrong type is a client error, with Go's message followed by the exact path.
 */

/** The expected type for the error message; attached to zod's issue. */
interface Mismatch {
  readonly value: string;
  readonly type: string;
  /** The enclosing Go struct and the struct fields on the path, as Go's message names them. */
  readonly struct?: string;
  readonly fields: readonly string[];
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function mismatchOf(issue: { readonly params?: unknown }): Mismatch | undefined {
  return (issue.params as { readonly mismatch?: Mismatch } | undefined)?.mismatch;
}

interface Leaf<T> {
  readonly type: string;
  readonly zero: T;
  readonly accepts: (value: unknown) => value is T;
}

function leaf<T>(type: string, zero: T, accepts: (value: unknown) => value is T): z.ZodType<T> {
  return z.unknown().transform((value, context): T => {
    if (value === null) return zero;
    if (accepts(value)) return value;
    const mismatch: Mismatch = { value: kindOf(value), type, fields: [] };
    context.addIssue({ code: "custom", params: { mismatch } });
    return z.NEVER;
  });
}

/**
 * Whether each item of a list or map is that leaf, or `null`. A schema for each would take seconds for as many as a body may have, and so
 * would telling of each that is wrong: the first is told.
 */
function areLeaves<T>(
  { type, accepts }: Leaf<T>,
  items: object,
  keys: Iterable<PropertyKey>,
  context: z.RefinementCtx,
): boolean {
  for (const key of keys) {
    const value = (items as Readonly<Record<PropertyKey, unknown>>)[key];
    if (value === null || accepts(value)) continue;
    context.addIssue({ code: "custom", path: [key], params: { mismatch: { value: kindOf(value), type, fields: [] } } });
    return false;
  }
  return true;
}

const STRING: Leaf<string> = { type: "string", zero: "", accepts: (value) => typeof value === "string" };

function stringList(type: string): z.ZodType<readonly string[]> {
  return leaf<readonly (string | null)[]>(type, [], (value): value is (string | null)[] =>
    Array.isArray(value),
  ).transform((list, context) =>
    areLeaves(STRING, list, list.keys(), context) ? list.map((text) => text ?? "") : z.NEVER,
  );
}

function leafMap<T>(name: string, item: Leaf<T>): z.ZodType<Readonly<Record<string, T>>> {
  return leaf<Readonly<Record<string, T | null>>>(name, {}, (value): value is Readonly<Record<string, T | null>> =>
    isObject(value),
  ).transform((map, context) => {
    const read: Record<string, T> = {};
    const keys = Object.keys(map);
    if (!areLeaves(item, map, keys, context)) return z.NEVER;
    // Assigned, `__proto__` would be no field but the prototype.
    for (const key of keys) if (key !== "__proto__") read[key] = map[key] ?? item.zero;
    return read;
  });
}

export const goString = leaf(STRING.type, STRING.zero, STRING.accepts);
export const goBool = leaf("bool", false, (value): value is boolean => typeof value === "boolean");
export const goInt = leaf(
  "int64",
  0,
  (value): value is number => typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 2 ** 63,
);
export const goUint = leaf(
  "uint64",
  0,
  (value): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 2 ** 64,
);
/** Any object or value, unchanged. */
export const goAny = z.unknown();

/** Far more structs in one list or map than any client sends; reading them takes some milliseconds. */
const MOST_STRUCTS = 1_000;

/** Refuses too many structs before any of them is read. */
function few<T extends object>(schema: z.ZodType<T>): z.ZodType<T> {
  return schema.superRefine((value, context) => {
    const count = Object.keys(value).length;
    if (count > MOST_STRUCTS)
      context.addIssue({ code: "custom", message: `at most ${MOST_STRUCTS} are possible, and these are ${count}` });
  });
}

/** A list of at most {@link MOST_STRUCTS}; a field where `null` means "not given" adds `.nullable()`. */
export function goList<T>(type: string, item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return few(leaf(`[]${type}`, [], (value): value is unknown[] => Array.isArray(value))).pipe(z.array(item));
}

/** A list of texts. */
export const goStrings = stringList("[]string");

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A map with text keys, which keep their spelling, read up to the first value that is wrong. `name` is its type in Go's messages. */
export function goMap<T>(name: string, value: z.ZodType<T>): z.ZodType<Readonly<Record<string, T>>> {
  return leaf(name, {}, isObject).transform((map, context) => {
    const read: (readonly [string, T])[] = [];
    for (const [key, item] of Object.entries(map)) {
      // Assigned later, it would be no field but the prototype.
      if (key === "__proto__") continue;
      const parsed = value.safeParse(item);
      if (!parsed.success) {
        for (const issue of parsed.error.issues)
          context.issues.push({ ...issue, input: item, path: [key, ...issue.path] } as (typeof context.issues)[number]);
        return z.NEVER;
      }
      read.push([key, parsed.data]);
    }
    return Object.fromEntries(read);
  });
}

/** A map of texts by texts, of which `null` stays. */
export const goNullableStringMap = leafMap<string | null>("map[string]*string", { ...STRING, zero: null });

/** A map of texts by texts, which keep their spelling. */
export const goStringMap = leafMap("map[string]string", STRING);

/** A map of at most {@link MOST_STRUCTS} structs. */
export function goStructMap<T>(type: string, value: z.ZodType<T>): z.ZodType<Readonly<Record<string, T>>> {
  return few(leaf(`map[string]${type}`, {}, isObject)).pipe(z.record(z.string(), value));
}

const EMPTY: Leaf<object> = { type: "struct {}", zero: {}, accepts: isObject };

function goSetOf(name: string): z.ZodType<Readonly<Record<string, Record<string, never>>>> {
  return leafMap(name, EMPTY).transform((set) => Object.fromEntries(Object.keys(set).map((key) => [key, {}])));
}

/** A set such as `{"80/tcp": {}}`. */
export const goSet = goSetOf("map[string]struct {}");

/** A set of ports such as `{"80/tcp": {}}`. */
export const goPortSet = goSetOf("nat.PortSet");

/** `Cmd` and `Entrypoint`: a list, or a text that becomes a list of one (Docker's StrSlice). */
export const goWords: z.ZodType<readonly string[]> = z
  .unknown()
  .transform((value, context): unknown => {
    if (value === null || Array.isArray(value)) return value ?? [];
    if (typeof value === "string") return [value];
    // Go tries the list, then the text, and reports the error of the text.
    context.addIssue({ code: "custom", params: { mismatch: { value: kindOf(value), type: "string", fields: [] } } });
    return z.NEVER;
  })
  .pipe(stringList("[]string"));

/** Replaces an absent or `null` field with `zero`. */
export function or<T>(schema: z.ZodType<T>, zero: NoInfer<T>): z.ZodType<T>;
export function or<T, Z extends null | undefined>(schema: z.ZodType<T>, zero: Z): z.ZodType<T | Z>;
export function or<T, Z>(schema: z.ZodType<T>, zero: Z): z.ZodType<T | Z> {
  return schema.optional().transform((value) => (value === undefined ? zero : value));
}

/** A Go struct. `name` is its type in Go's messages, with the package, which they omit before a field. */
export function goStruct<Shape extends Readonly<Record<string, z.ZodType>>>(
  name: string,
  shape: Shape,
): z.ZodType<z.output<z.ZodObject<Shape>>> {
  const fields = z.object(shape);
  const spelling = new Map(Object.keys(shape).map((key) => [key.toLowerCase(), key]));
  const canonical = (value: Record<string, unknown>): Record<string, unknown> => {
    const entries = Object.entries(value).map(([key, item]) => [spelling.get(key.toLowerCase()), item] as const);
    const known = new Map(entries.filter((entry): entry is [string, unknown] => entry[0] !== undefined));
    return Object.fromEntries([...known].filter(([, item]) => item !== null));
  };
  return leaf(name, {}, isObject).transform((value, context) => {
    const parsed = fields.safeParse(canonical(value));
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const inner = mismatchOf(issue as { params?: unknown });
      const field = String(issue.path[0]);
      const mismatch = inner && {
        ...inner,
        struct: inner.struct ?? name.replace(/^.*\./, ""),
        fields: [field, ...inner.fields],
      };
      context.issues.push({
        code: "custom",
        input: value,
        path: issue.path,
        message: issue.message,
        params: { mismatch },
      });
    }
    return z.NEVER;
  });
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "string" && /^\w+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`))
    .join("")
    .replace(/^\./, "");
}

/** The message for the first issue of a failed parse: Go's message, then the exact path. */
export function describeIssues(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return "invalid JSON";
  const mismatch = mismatchOf(issue as { params?: unknown });
  const path = formatPath(issue.path);
  if (mismatch === undefined) return `${path === "" ? "" : `${path}: `}${issue.message}`;
  const { value, type, struct, fields } = mismatch;
  const place = struct === undefined ? "Go value" : `Go struct field ${struct}.${fields.join(".")}`;
  return `json: cannot unmarshal ${value} into ${place} of type ${type}${path === "" || path === fields.join(".") ? "" : ` (at ${path})`}`;
}
