import type { Constraint } from "@berth/directory-domain";
import { describe, expect, it } from "vitest";
import { ADMINISTRATOR } from "../containers/containers-service.testing.ts";
import { user } from "../engine/user.testing.ts";
import { formatReference, withDefaultTag } from "../images/reference/reference.ts";
import { namedReference } from "../images/transfer/pull.ts";
import { assertLoginAllowed, assertPullAllowed } from "./images.ts";

function inFull(image: string): string {
  return formatReference(withDefaultTag(namedReference({ image, tag: undefined })));
}

describe("requests to registries", () => {
  const images = (effect: "limit" | "deny", ...patterns: readonly string[]): Constraint => ({
    kind: "images",
    effect,
    patterns,
  });
  const team = images("limit", "registry.corp/team/*", "*/base:1");

  it.each<readonly [string, readonly Constraint[], boolean]>([
    ["registry.corp", [], true],
    ["registry.corp", [team], true],
    ["other.corp", [team], false],
    ["docker.io", [images("limit", "docker.io/library/*")], true],
    ["docker.io", [images("limit", "docker.io/library/*"), images("deny", "docker.io/*")], false],
    ["docker.io", [images("limit", "docker.io/library/*"), images("deny", "docker.io/library/x*")], true],
    ["registry.corp", [images("limit", "*.corp/*")], true],
    ["registry.corp", [images("deny", "registry.corp/*")], false],
    ["registry.corp:5000", [team], false],
  ])("credentials for %s within %j: %s", (domain, constraints, allowed) => {
    const asking = () => assertLoginAllowed(user(1, ...constraints), domain);
    if (allowed) expect(asking).not.toThrow();
    else expect(asking).toThrow("denied by policy");
    expect(() => assertLoginAllowed(ADMINISTRATOR, domain)).not.toThrow();
  });

  it.each([
    ["registry.corp/team/app", true],
    ["registry.corp/other", false],
    ["any.corp/base", false],
    ["any.corp/base:1", true],
    ["busybox", false],
  ])("%s: %s", (image, allowed) => {
    const asking = () => assertPullAllowed(user(1, team), inFull(image));
    if (allowed) expect(asking).not.toThrow();
    else expect(asking).toThrow("denied by policy");
  });
});
