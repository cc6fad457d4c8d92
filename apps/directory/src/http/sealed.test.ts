import { expect, test } from "vitest";
import { createSealer } from "./sealed.ts";

const NOW = new Date("2030-01-01T00:00:00.000Z");
const LATER = new Date("2030-01-01T00:01:00.000Z");

test("opens what it sealed, until its end", () => {
  let now = NOW;
  const sealer = createSealer("key", "use", () => now);
  const sealed = sealer.seal({ secret: "x" }, LATER);
  expect(sealer.open(sealed)).toEqual({ secret: "x" });
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("secret");
  now = LATER;
  expect(sealer.open(sealed)).toBeUndefined();
});

test("opens nothing else", () => {
  const sealer = createSealer("key", "use", () => NOW);
  const sealed = sealer.seal({ a: 1 }, LATER);
  const bytes = Buffer.from(sealed, "base64url");
  const changed = Array.from(bytes, (byte, at) => {
    const copy = Buffer.from(bytes);
    copy[at] = byte ^ 1;
    return copy.toString("base64url");
  });
  for (const text of ["", "x", sealed.slice(1), sealed.slice(0, -1), ...changed])
    expect(sealer.open(text)).toBeUndefined();
  for (const other of [createSealer("other", "use", () => NOW), createSealer("key", "another", () => NOW)])
    expect(other.open(sealed)).toBeUndefined();
});
