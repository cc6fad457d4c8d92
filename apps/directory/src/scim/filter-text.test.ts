import { expect, test } from "vitest";
import { type FilterText, parseFilter } from "./filter-text.ts";

function eq(path: string, value: string | number | boolean | null): FilterText {
  return { op: "eq", path, value };
}

test.each<[string, FilterText]>([
  ['userName eq "ann"', eq("userName", "ann")],
  ['userName EQ "ann"', eq("userName", "ann")],
  ["active eq True", eq("active", true)],
  ["nickName eq null", eq("nickName", null)],
  ["age eq -1.5e3", eq("age", -1500)],
  ['userName eq "a\\"b\\u00e9"', eq("userName", 'a"bé')],
  ['userName eq "CORP\\\\ann"', eq("userName", "CORP\\ann")],
  ['userName eq "CORP\\ann"', eq("userName", "CORP\\ann")],
  ["title pr", { op: "pr", path: "title" }],
  [
    "a eq 1 or b eq 2 and c eq 3",
    { op: "or", filters: [eq("a", 1), { op: "and", filters: [eq("b", 2), eq("c", 3)] }] },
  ],
  [
    "(a eq 1 or b eq 2) and c eq 3",
    { op: "and", filters: [{ op: "or", filters: [eq("a", 1), eq("b", 2)] }, eq("c", 3)] },
  ],
  ["not (a eq 1) and b eq 2", { op: "and", filters: [{ op: "not", filter: eq("a", 1) }, eq("b", 2)] }],
  ["not(a eq 1)", { op: "not", filter: eq("a", 1) }],
  ['emails[type eq "work"]', { op: "some", path: "emails", filter: eq("type", "work") }],
  [
    'emails[type eq "work"].value eq "x"',
    { op: "some", path: "emails", filter: { op: "and", filters: [eq("type", "work"), eq("value", "x")] } },
  ],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann"',
    eq("urn:ietf:params:scim:schemas:core:2.0:User:userName", "ann"),
  ],
])("%s", (text, filter) => expect(parseFilter(text)).toEqual(filter));

test.each([
  ["", "ends where an attribute was expected"],
  ["userName", "ends where an operator after userName"],
  ["userName eq", "ends where a value after userName eq"],
  ["userName eq ann", "a text stands in double quotes"],
  ['userName is "ann"', "has the operator is"],
  ['userName eq "ann', "is not readable from character"],
  ['userName eq "ann" bob', 'has bob where "and", "or" or its end was expected'],
  ['(userName eq "ann"', "ends where ) was expected"],
  ['emails[type eq "work")', "has ) where ] was expected"],
  ["(".repeat(5_000), "is nested deeper than 50 levels"],
  ["a".repeat(9_000), "has more than 8000 characters"],
])("refuses %#: %s", (text, detail) => expect(() => parseFilter(text)).toThrow(detail));
