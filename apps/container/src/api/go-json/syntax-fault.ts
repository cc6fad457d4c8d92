const LITERALS: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

/** What may follow at a place of a JSON text. */
type Expected = "value" | "item or end" | "key" | "key or end" | "colon" | "comma";

/** Where a lexeme ends, or the fault in it. */
type Lexeme = number | string;

const ENDED = "unexpected EOF";

const ESCAPED: Readonly<Record<number, string>> = {
  7: "a",
  8: "b",
  9: "t",
  10: "n",
  11: "v",
  12: "f",
  13: "r",
  92: "\\",
};

/** A byte as Go's `quoteChar` writes it: that of a character of several bytes is the first of them. */
function quoted(char: string): string {
  if (char === "'") return String.raw`'\''`;
  const [byte = 0] = Buffer.from(char);
  const short = ESCAPED[byte];
  if (short !== undefined) return `'\\${short}'`;
  const hex = byte.toString(16);
  if (byte < 0x20 || byte === 0x7f) return `'\\x${hex.padStart(2, "0")}'`;
  // Go's Latin-1 characters that cannot be printed.
  return (byte >= 0x80 && byte <= 0xa0) || byte === 0xad ? `'\\u00${hex}'` : `'${String.fromCharCode(byte)}'`;
}

/** The fault of what stands at a place, or that the text ends there. */
function unexpected(text: string, at: number, context: string): string {
  const code = text.codePointAt(at);
  return code === undefined ? ENDED : `invalid character ${quoted(String.fromCodePoint(code))} ${context}`;
}

function endOfString(text: string, start: number): Lexeme {
  for (let at = start + 1; ; at++) {
    const char = text[at] ?? "";
    if (char === '"') return at + 1;
    if (char < " ") return unexpected(text, at, "in string literal");
    if (char !== "\\") continue;
    if (!/[bfnrt\\/"u]/.test(text[++at] ?? "")) return unexpected(text, at, "in string escape code");
    if (text[at] !== "u") continue;
    for (const end = at + 4; at < end; )
      if (!/[\da-fA-F]/.test(text[++at] ?? "")) return unexpected(text, at, "in \\u hexadecimal character escape");
  }
}

function endOfNumber(text: string, start: number): Lexeme {
  const digits = (from: number, context: string): Lexeme => {
    let at = from;
    while (/\d/.test(text[at] ?? "")) at++;
    return at > from ? at : unexpected(text, at, context);
  };
  const first = text[start] === "-" ? start + 1 : start;
  let at = text[first] === "0" ? first + 1 : digits(first, "in numeric literal");
  if (typeof at === "number" && text[at] === ".") at = digits(at + 1, "after decimal point in numeric literal");
  if (typeof at === "number" && /[eE]/.test(text[at] ?? ""))
    at = digits(/[+-]/.test(text[at + 1] ?? "") ? at + 2 : at + 1, "in exponent of numeric literal");
  return at;
}

function endOfLiteral(text: string, start: number, literal: string): Lexeme {
  for (let length = 1; length < literal.length; length++)
    if (text[start + length] !== literal[length])
      return unexpected(text, start + length, `in literal ${literal} (expecting ${quoted(literal[length] ?? "")})`);
  return start + literal.length;
}

/** Text, number or literal. */
function endOfScalar(text: string, at: number): Lexeme {
  const char = text[at] ?? "";
  if (char === '"') return endOfString(text, at);
  if (/[-\d]/.test(char)) return endOfNumber(text, at);
  const literal = LITERALS[char];
  return literal === undefined
    ? unexpected(text, at, "looking for beginning of value")
    : endOfLiteral(text, at, literal);
}

/** What is wrong with a text that is no JSON, in the words of Go's decoder (`encoding/json`, scanner.go). */
export function syntaxFault(text: string): string {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  while (true) {
    while (/[ \t\r\n]/.test(text[at] ?? "")) at++;
    const char = text[at] ?? "";
    const closes =
      (char === "}" && /^(comma|key or end)$/.test(expected)) ||
      (char === "]" && /^(comma|item or end)$/.test(expected));
    let next: Lexeme = at + 1;
    if (closes && open.at(-1) === (char === "}" ? "{" : "[")) {
      open.pop();
      expected = "comma";
    } else if (expected === "comma") {
      const inObject = open.at(-1) === "{";
      if (char !== ",") return unexpected(text, at, inObject ? "after object key:value pair" : "after array element");
      expected = inObject ? "key" : "value";
    } else if (expected === "colon") {
      if (char !== ":") return unexpected(text, at, "after object key");
      expected = "value";
    } else if (expected === "key" || expected === "key or end") {
      if (char !== '"') return unexpected(text, at, "looking for beginning of object key string");
      next = endOfString(text, at);
      expected = "colon";
    } else if (char === "{" || char === "[") {
      open.push(char);
      expected = char === "{" ? "key or end" : "item or end";
    } else {
      next = endOfScalar(text, at);
      expected = "comma";
    }
    if (typeof next === "string") return next;
    at = next;
    if (open.length === 0 && expected === "comma") return "unexpected content after JSON";
  }
}
