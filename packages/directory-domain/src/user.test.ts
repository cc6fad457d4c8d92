import { expect, test } from "vitest";
import { fold, parseDisplayName, parseEmail, parseId, parseLogin } from "./user.ts";

test.each([
  ["Admin", "ADMIN"],
  ["ａｄｍｉｎ", "admin"],
  ["straße", "STRASSE"],
  ["ﬁsh", "FISH"],
  ["e\u0301", "É"],
  ["ı", "I"],
  ["ſ", "s"],
  ["Ann@Example.TEST", "ann@example.test"],
])("%s and %s are one login", (a, b) => expect(fold(a)).toBe(fold(b)));

test.each([
  "a",
  "ann",
  "ann.b",
  "a-b_c+d@e",
  "Ärger",
  "Жора",
  "иван@contoso.test",
  "李雷",
  "たなか42",
  "x".repeat(256),
  "me",
  "sean.o'brien@contoso.test",
  "ann_gmail.com#EXT#@contoso.onmicrosoft.test",
  "_svc@contoso.test",
  "CORP\\ann",
  "ann b",
  "__proto__",
])("%s is a login", (text) => expect(parseLogin(text)).toEqual({ ok: true, value: text.normalize("NFC") }));

test.each([
  ["empty", ""],
  ["257 characters", "x".repeat(257)],
  ["256 characters that fold into 4,608", "\ufdfa".repeat(256)],
  ["a million characters", "x".repeat(1_000_000)],
  ["NUL", "a\0b"],
  ["lone surrogate", "a\ud800"],
  ["leading space", " ann"],
  ["trailing space", "ann "],
  ["no-break space", "an\u00a0n"],
  ["only dots", ".."],
  ["slash", "/"],
  ["mixed scripts", "аdmin"],
  ["zero-width joiner", "a\u200db"],
  ["bidi override", "a\u202eb"],
  ["newline", "a\nb"],
])("refuses a login: %s", (_name, text) => expect(parseLogin(text).ok).toBe(false));

test.each(["a@b", "ann+tag@example.test", "ü@exämple.test", `${"x".repeat(240)}@example.test`])(
  "%s is an e-mail",
  (text) => expect(parseEmail(text).ok).toBe(true),
);

test.each([
  "",
  "ann",
  "@b",
  "a@",
  "a@b@c",
  "a b@c",
  "a@b\n",
  `a@${".".repeat(100_000)}`,
  `${"ü".repeat(125)}@abcd`,
  "a\ud800@b",
])("refuses an e-mail", (text) => expect(parseEmail(text).ok).toBe(false));

test("a display name may be any writing but control and direction characters", () => {
  expect(parseDisplayName("  Zoë 👩‍👩‍👧 नमस्ते ").ok).toBe(true);
  for (const text of ["", "   ", "a\0", "a\u202eb", "x".repeat(257)]) expect(parseDisplayName(text).ok).toBe(false);
});

test.each([
  "0",
  "-1",
  "1.5",
  "1e3",
  "01",
  "+1",
  "0x10",
  " 1",
  "",
  "9007199254740992",
  "9223372036854775808",
  "9".repeat(500),
])("%s is no id", (text) => expect(parseId(text)).toBeUndefined());
test.each(["1", "9007199254740991"])("%s is an id", (text) => expect(parseId(text)).toBe(Number(text)));
