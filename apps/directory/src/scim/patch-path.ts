import { attributeKey } from "./attributes.ts";
import { ScimError } from "./error.ts";
import { type FilterText, parseFilter } from "./filter-text.ts";

/** What an operation of a PATCH is about (RFC 7644, 3.5.2): keys are in lower case. */
export interface PatchPath {
  readonly attribute: string;
  /** Which values of the attribute. */
  readonly filter: FilterText | undefined;
  readonly sub: string | undefined;
}

/**
 * Reads the path of an operation. The URN of a schema that the directory does not keep is part of the attribute's name, which
 * then names nothing.
 * @throws ScimError `invalidPath`
 */
export function parsePatchPath(path: string): PatchPath {
  const text = path.trim();
  if (/^urn:/i.test(text) && !/[[\]]/.test(text) && attributeKey(text) === text.toLowerCase())
    return { attribute: text.toLowerCase(), filter: undefined, sub: undefined };
  const match = /^([^[\]]+)(?:(\[.*\])(?:\.([\w$-]+))?)?$/s.exec(text);
  if (match === null) throw new ScimError("invalidPath", `The path ${text} does not follow RFC 7644, 3.5.2.`);
  const [, name = "", brackets, subOfFilter] = match;
  const [attribute = "", sub] = attributeKey(name).split(/\.(.+)/s);
  if (brackets === undefined) return { attribute, filter: undefined, sub };
  return { attribute, filter: filterIn(text, brackets), sub: subOfFilter?.toLowerCase() };
}

function filterIn(path: string, brackets: string): FilterText {
  try {
    const filter = parseFilter(`value${brackets}`);
    if (filter.op === "some") return filter.filter;
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    throw new ScimError("invalidPath", `In the path ${path}: ${error.message}`);
  }
  throw new ScimError("invalidPath", `The path ${path} does not follow RFC 7644, 3.5.2.`);
}

/** The value itself where it came as a list of one, or as a list of one object that holds it. */
export function singleValue(value: unknown): unknown {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!Array.isArray(value) || typeof one !== "object" || one === null || !("value" in one)) return one;
  return one.value;
}

/** The attributes of an operation without a path, each as an operation with one. @throws ScimError */
export function entriesOf(op: "add" | "replace" | "remove", value: unknown): readonly (readonly [string, unknown])[] {
  if (op === "remove") throw new ScimError("noTarget", "A remove operation needs a path.");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ScimError("invalidValue", "The value of an operation without a path must be an object.");
  return Object.entries(value).flatMap(([key, one]) =>
    // The core schema's URN may stand around its attributes.
    attributeKey(key) === "" && typeof one === "object" && one !== null ? Object.entries(one) : [[key, one] as const],
  );
}
