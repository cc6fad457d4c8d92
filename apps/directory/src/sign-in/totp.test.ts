import type { UserId } from "@berth/directory-domain";
import { expect, test } from "vitest";
import { makeRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";
import { createSecretBox } from "./secret-box.ts";
import { base32, hotp, otpauthUri, stepAt, stepOf } from "./totp.ts";

const SECRET = Buffer.from("12345678901234567890");

// RFC 4226, appendix D.
const COUNTERS = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" ");

test.each(COUNTERS.map((code, counter) => [counter, code] as const))(
  "the code for counter %i is %s",
  (counter, code) => {
    expect(hotp(SECRET, counter)).toBe(code);
  },
);

// RFC 6238, appendix B, for SHA-1.
const TIMES: readonly (readonly [seconds: number, step: number, code: string])[] = [
  [59, 0x1, "94287082"],
  [1_111_111_109, 0x23523ec, "07081804"],
  [1_111_111_111, 0x23523ed, "14050471"],
  [1_234_567_890, 0x273ef07, "89005924"],
  [2_000_000_000, 0x3f940aa, "69279037"],
  [20_000_000_000, 0x27bc86aa, "65353130"],
];

test.each(TIMES)("the code at second %i, in step %i, is %s", (seconds, step, code) => {
  const at = new Date(seconds * 1_000);
  expect(stepAt(at)).toBe(step);
  expect(hotp(SECRET, step, 8)).toBe(code);
  expect(stepOf(SECRET, code.slice(-6), at)).toBe(step);
});

test("a code counts one step before and after its own, and no longer", () => {
  const at = (step: number) => new Date(step * 30_000);
  const code = hotp(SECRET, 1_000);
  const steps = [998, 999, 1_000, 1_001, 1_002].map((step) => stepOf(SECRET, code, at(step)));
  expect(steps).toEqual([undefined, 1_000, 1_000, 1_000, undefined]);
  expect(stepOf(SECRET, hotp(SECRET, 0), new Date(0))).toBe(0);
});

// RFC 4648, 10, without padding.
test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%j in base 32 is %j", (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test("the address for a QR code keeps issuer and account apart, whatever they hold", () => {
  const uri = new URL(otpauthUri("MZXW6", { issuer: "Berth [::1]", login: "a:b/c?d&e" }));
  const [issuer, account] = decodeURIComponent(uri.pathname.slice(1)).split(":");
  expect([uri.protocol, uri.host, issuer, account]).toEqual(["otpauth:", "totp", "Berth [--1]", "a-b/c?d&e"]);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: "MZXW6",
    issuer: "Berth [--1]",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});

test("recovery codes differ, and are read as people write them", () => {
  const codes = makeRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  const written = recoveryCodeHash("01AB-01AB-01AB-01AB");
  expect(written).toHaveLength(32);
  expect(recoveryCodeHash(" oiab 0lab01ab 01AB")).toEqual(written);
  expect(recoveryCodeHash("01AB-01AB-01AB-01AC")).not.toEqual(written);
  for (const text of [
    "",
    "492039",
    "01AB-01AB-01AB-01A",
    "01AB-01AB-01AB-01ABC",
    "01AB-01AB-01AB-01AU",
    "é1AB-01AB-01AB-01AB",
  ])
    expect(recoveryCodeHash(text)).toBeUndefined();
});

test("a sealed secret opens for its owner, under any of the keys, and not after a change", () => {
  const [ann, bob] = [7 as UserId, 8 as UserId];
  const old = createSecretBox(["old"]);
  const sealed = old.seal(ann, SECRET);
  expect(Buffer.from(sealed, "base64").includes(SECRET)).toBe(false);
  expect(old.seal(ann, SECRET)).not.toBe(sealed);
  expect(Buffer.from(createSecretBox(["new", "old"]).open(ann, sealed))).toEqual(SECRET);
  expect(() => old.open(bob, sealed)).toThrow("cannot be read");
  expect(() => createSecretBox(["new"]).open(ann, sealed)).toThrow("BERTH_SECOND_FACTOR_KEY_FILE");
  const bytes = Buffer.from(sealed, "base64");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  for (const text of [bytes.toString("base64"), "", "AAAA"])
    expect(() => old.open(ann, text)).toThrow("cannot be read");
});
