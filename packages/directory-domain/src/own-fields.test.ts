import fc from "fast-check";
import { expect, it, test } from "vitest";
import { formatFieldValue, parseFieldValue, parseOwnFields } from "./own-fields.ts";

it.each([
  ["", null],
  ["true", true],
  ["True", "True"],
  ["3", 3],
  ["-1.5", -1.5],
  ["007", "007"],
  ["1.50", "1.50"],
  ['"3"', "3"],
  ['""', ""],
  ["a b", "a b"],
])("reads %j as %j", (text, value) => expect(parseFieldValue(text)).toBe(value));

test("what is written is read again, with its type", () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("true", "1", "-1", '"', '""', " a", "1e5", "Infinity"),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  );
  fc.assert(
    fc.property(value, (one) => {
      expect(parseFieldValue(formatFieldValue(one))).toBe(one);
    }),
  );
});

test("fields pass through JSON unchanged", () => {
  const name = fc.stringMatching(/^[a-zA-Z][a-z0-9_.-]{0,9}$/);
  const number = fc.double().filter((one) => !Object.is(one, -0));
  const value = fc.oneof(fc.string({ unit: "binary" }), fc.boolean(), number);
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (fields) => {
      const parsed = parseOwnFields(fields);
      if (parsed.ok) expect(JSON.parse(JSON.stringify(parsed.value))).toEqual(parsed.value);
    }),
  );
});
