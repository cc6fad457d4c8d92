import { describe, expect, test } from "vitest";
import type { IndexEntry } from "./manifest.ts";
import { choosePlatform, formatPlatform, parsePlatform, platformOf } from "./platform.ts";

const own = platformOf("x64");
function entry(text: string, annotations?: Record<string, string>): IndexEntry {
  const [os = "", architecture = "", variant] = text.split("/");
  return {
    mediaType: "",
    digest: text,
    size: 1,
    ...(text === "none" ? {} : { platform: { os, architecture, variant } }),
    annotations,
  };
}

describe("parsePlatform", () => {
  test.each([
    ["linux/amd64", "linux/amd64"],
    ["linux/x86_64", "linux/amd64"],
    ["linux/aarch64", "linux/arm64"],
    ["linux/arm64/v8", "linux/arm64"],
    ["linux/arm", "linux/arm/v7"],
    ["linux/arm/v6", "linux/arm/v6"],
    ["arm64", "linux/arm64"],
    ["linux", "linux/amd64"],
    ["windows", "windows/amd64"],
    ["Windows/AMD64", "windows/amd64"],
  ])("%s", (text, expected) => {
    const parsed = parsePlatform(text, own);
    expect(parsed.ok && formatPlatform(parsed.value)).toBe(expected);
  });

  test.each(["", "linux/", "a/b/c/d", "linux/am d64", "../x", "foobar"])("rejects %j", (text) =>
    expect(parsePlatform(text, own).ok).toBe(false),
  );
});

describe("choosePlatform", () => {
  test.each([
    ["linux/amd64", ["linux/arm64/v8", "linux/amd64"], "linux/amd64"],
    ["linux/arm64", ["linux/amd64", "linux/arm64/v8"], "linux/arm64/v8"],
    ["linux/arm/v7", ["linux/arm/v5", "linux/arm/v6", "linux/arm/v8"], "linux/arm/v6"],
    ["linux/arm/v7", ["linux/arm/v6", "linux/arm"], "linux/arm"],
    ["linux/arm/v6", ["linux/arm/v7"], undefined],
    ["linux/amd64", ["linux/amd64/v3", "linux/amd64"], "linux/amd64"],
    ["linux/amd64", ["windows/amd64"], undefined],
    ["linux/amd64", ["none"], "none"],
    ["linux/amd64", ["none", "linux/amd64"], "linux/amd64"],
    ["linux/amd64", [], undefined],
  ])("%s of %j", (text, offered, expected) => {
    const parsed = parsePlatform(text, own);
    if (!parsed.ok) throw new Error(parsed.error);
    expect(
      choosePlatform(
        offered.map((each) => entry(each)),
        parsed.value,
      )?.digest,
    ).toBe(expected);
  });

  test("ignores attestations", () => {
    const attestation = entry("unknown/unknown", { "vnd.docker.reference.type": "attestation-manifest" });
    expect(choosePlatform([attestation], own)).toBeUndefined();
  });
});
