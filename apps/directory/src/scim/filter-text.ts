import { ScimError } from "./error.ts";

export const COMPARISONS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;
export type ComparisonWord = (typeof COMPARISONS)[number];
export type Literal = string | number | boolean | null;

/** A filter as it is written (RFC 7644, 3.4.2.2): attribute paths are not looked up yet. */
export type FilterText =
  | { readonly op: "and" | "or"; readonly filters: readonly FilterText[] }
  | { readonly op: "not"; readonly filter: FilterText }
  | { readonly op: "pr"; readonly path: string }
  | { readonly op: ComparisonWord; readonly path: string; readonly value: Literal }
  | { readonly op: "some"; readonly path: string; readonly filter: FilterText };

const MAX_LENGTH = 8_000;
const MAX_DEPTH = 50;
const TOKENS = /\s*(?:("(?:[^"\\]|\\[\s\S])*")|([()[\]])|([^\s()[\]"]+))/y;

/**
 * Reads a filter. Besides the grammar of the RFC it takes `emails[type eq "work"].value eq "x"`, which Entra ID sends, and
 * backslashes that are not escaped, as in `"CORP\ann"`.
 * @throws ScimError `invalidFilter` that names the place.
 */
export function parseFilter(text: string): FilterText {
  if (text.length > MAX_LENGTH) throw refused(`has more than ${MAX_LENGTH} characters`);
  const parser = new Parser(tokensOf(text));
  const filter = parser.or(0);
  parser.end();
  return filter;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(TOKENS);
  const whole = text.trimEnd();
  while (pattern.lastIndex < whole.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(whole);
    if (match === null) throw refused(`is not readable from character ${at + 1} on`);
    tokens.push(match[1] ?? match[2] ?? match[3] ?? "");
  }
  return tokens;
}

/** Recursive descent: `or` binds loosest, then `and`, then `not`. */
class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  or(depth: number): FilterText {
    return this.#joined("or", () => this.#joined("and", () => this.#term(depth)));
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw refused(`has ${this.#peek()} where "and", "or" or its end was expected`);
  }

  #joined(word: "and" | "or", next: () => FilterText): FilterText {
    const first = next();
    const filters = [first];
    while (this.#peek().toLowerCase() === word) {
      this.#at++;
      filters.push(next());
    }
    return filters.length === 1 ? first : { op: word, filters };
  }

  #term(depth: number): FilterText {
    if (depth > MAX_DEPTH) throw refused(`is nested deeper than ${MAX_DEPTH} levels`);
    const token = this.#take("an attribute");
    if (token === "(") return this.#closed(")", depth);
    if (token.toLowerCase() === "not") return { op: "not", filter: this.#term(depth + 1) };
    if (/^["()[\]]/.test(token)) throw refused(`has ${token} where an attribute was expected`);
    if (this.#peek() !== "[") return this.#comparison(token);
    this.#at++;
    const filter = this.#closed("]", depth);
    const sub = /^\.(.+)$/.exec(this.#peek())?.[1];
    if (sub === undefined) return { op: "some", path: token, filter };
    this.#at++;
    return { op: "some", path: token, filter: { op: "and", filters: [filter, this.#comparison(sub)] } };
  }

  #closed(bracket: ")" | "]", depth: number): FilterText {
    const filter = this.or(depth + 1);
    const token = this.#take(bracket);
    if (token !== bracket) throw refused(`has ${token} where ${bracket} was expected`);
    return filter;
  }

  #comparison(path: string): FilterText {
    const op = this.#take(`an operator after ${path}`).toLowerCase();
    if (op === "pr") return { op, path };
    const known = COMPARISONS.find((one) => one === op);
    if (known === undefined) throw refused(`has the operator ${op}; it takes ${COMPARISONS.join(", ")} and pr`);
    return { op: known, path, value: literalOf(this.#take(`a value after ${path} ${op}`)) };
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #take(expected: string): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw refused(`ends where ${expected} was expected`);
    return token;
  }
}

function literalOf(token: string): Literal {
  if (token.startsWith('"')) return textOf(token);
  const word = token.toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  if (word === "null") return null;
  if (/^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(token)) return Number(token);
  throw refused(`compares with ${token}; a text stands in double quotes`);
}

function textOf(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1, -1).replaceAll('\\"', '"');
  }
}

function refused(what: string): ScimError {
  return new ScimError("invalidFilter", `The filter ${what}.`);
}
