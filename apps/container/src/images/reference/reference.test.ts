import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatFamiliar,
  formatReference,
  parseImageName,
  parseReference,
  parseRepositoryTag,
  referenceMessage,
  withDefaultTag,
} from "./reference.ts";

const HEX = "7cc4b5aefd1d0cadf8d97d4350462ba51c694ebca145b08d7d41b41acc8db5aa";

describe("parseReference", () => {
  test.each([
    ["busybox", "docker.io/library/busybox", "busybox"],
    ["busybox:1.36", "docker.io/library/busybox:1.36", "busybox:1.36"],
    ["library/busybox", "docker.io/library/busybox", "busybox"],
    ["docker.io/busybox", "docker.io/library/busybox", "busybox"],
    ["index.docker.io/library/busybox:latest", "docker.io/library/busybox:latest", "busybox:latest"],
    ["team/app", "docker.io/team/app", "team/app"],
    ["library/a/b", "docker.io/library/a/b", "library/a/b"],
    ["localhost/app", "localhost/app", "localhost/app"],
    ["localhost:5000/app:v1", "localhost:5000/app:v1", "localhost:5000/app:v1"],
    ["127.0.0.1:5000/a/b/c", "127.0.0.1:5000/a/b/c", "127.0.0.1:5000/a/b/c"],
    ["[::1]:5000/app", "[::1]:5000/app", "[::1]:5000/app"],
    ["registry.example.com/app", "registry.example.com/app", "registry.example.com/app"],
    ["Uppercase/app", "Uppercase/app", "Uppercase/app"],
    ["app:5000", "docker.io/library/app:5000", "app:5000"],
    ["a__b/c--d.e", "docker.io/a__b/c--d.e", "a__b/c--d.e"],
    [`busybox@sha256:${HEX}`, `docker.io/library/busybox@sha256:${HEX}`, `busybox@sha256:${HEX}`],
    [`busybox:1@sha256:${HEX}`, `docker.io/library/busybox:1@sha256:${HEX}`, `busybox:1@sha256:${HEX}`],
  ])("%s", (input, full, familiar) => {
    const parsed = parseReference(input);
    if (!parsed.ok) throw new Error(referenceMessage(parsed.error));
    expect(formatReference(parsed.value)).toBe(full);
    expect(formatFamiliar(parsed.value)).toBe(familiar);
  });

  test.each([
    ["", "invalid reference format"],
    [" ", "invalid reference format"],
    ["busy box", "invalid reference format"],
    ["-busybox", "invalid reference format"],
    ["busybox:", "invalid reference format"],
    ["busybox:-1", "invalid reference format"],
    ["a//b", "invalid reference format"],
    ["a___b", "invalid reference format"],
    ["../etc/passwd", "invalid reference format"],
    ["http://localhost/app", "invalid reference format"],
    [`busybox:${"t".repeat(129)}`, "invalid reference format"],
    ["busybox@sha256:abc", "invalid reference format"],
    ["Busybox", "invalid reference format: repository name (library/Busybox) must be lowercase"],
    ["team/App:v1", "invalid reference format: repository name (team/App) must be lowercase"],
    [HEX, `invalid repository name (${HEX}), cannot specify 64-byte hexadecimal strings`],
    [`a/${"b".repeat(260)}`, "repository name must not be more than 255 characters"],
    ["a".repeat(100_000), "repository name must not be more than 255 characters"],
    [`busybox@md5:${HEX}`, "unsupported digest algorithm"],
    [`busybox@sha256:${HEX}00`, "invalid checksum digest length"],
    [`busybox@sha256:${HEX.toUpperCase()}`, "invalid checksum digest format"],
  ])("rejects %j", (input, message) => {
    const parsed = parseReference(input);
    expect(parsed.ok ? "accepted" : referenceMessage(parsed.error)).toBe(message);
  });

  test("parses formatted references to the same value", () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}(?:[_-][a-z0-9]{1,4}){0,2}$/);
    const reference = fc.record(
      {
        domain: fc.constantFrom("docker.io", "localhost:5000", "example.com", "[fd00::1]:80"),
        path: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
        tag: fc.stringMatching(/^\w[\w.-]{0,20}$/),
        digest: fc.constant(`sha256:${HEX}`),
      },
      { requiredKeys: ["domain", "path"] },
    );
    fc.assert(
      fc.property(reference, (wished) => {
        // A path of one component on the default domain always is an official repository.
        const { domain, path } = wished;
        const value = domain === "docker.io" && !path.includes("/") ? { ...wished, path: `library/${path}` } : wished;
        expect(parseReference(formatReference(value))).toEqual({ ok: true, value });
        expect(parseReference(formatFamiliar(value))).toEqual({ ok: true, value });
      }),
    );
  });
});

describe("parseImageName", () => {
  test.each([
    [HEX, { kind: "id", id: `sha256:${HEX}` }],
    [`sha256:${HEX}`, { kind: "id", id: `sha256:${HEX}` }],
    ["7cc4b5", { kind: "reference", reference: { domain: "docker.io", path: "library/7cc4b5" } }],
    ["sha256:7cc4", { kind: "reference", reference: { domain: "docker.io", path: "library/sha256", tag: "7cc4" } }],
  ])("%s", (input, value) => expect(parseImageName(input)).toEqual({ ok: true, value }));
});

describe("parseRepositoryTag", () => {
  test.each([
    ["app", "", "app"],
    ["app", "v1", "app:v1"],
    ["app:old", "v1", "app:v1"],
    ["app:old", "", "app:old"],
    ["app", `sha256:${HEX}`, `app@sha256:${HEX}`],
  ])("%s and %s", (repo, tag, familiar) => {
    const parsed = parseRepositoryTag(repo, tag);
    expect(parsed.ok && formatFamiliar(parsed.value)).toBe(familiar);
  });

  test("rejects an invalid tag", () => {
    const parsed = parseRepositoryTag("app", "-v1");
    expect(!parsed.ok && referenceMessage(parsed.error)).toBe("invalid tag format");
  });
});

test("withDefaultTag adds latest only without a tag or digest", () => {
  const repository = { domain: "docker.io", path: "library/app" };
  expect(withDefaultTag(repository).tag).toBe("latest");
  expect(withDefaultTag({ ...repository, tag: "v1" }).tag).toBe("v1");
  expect(withDefaultTag({ ...repository, digest: `sha256:${HEX}` }).tag).toBeUndefined();
});
