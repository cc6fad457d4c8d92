import { expect, it } from "vitest";
import { type DoorTarget, formatDoorName, parseDoorName } from "./names.ts";

const DIGEST = `sha256:${"a1".repeat(32)}`;

it.each<[DoorTarget]>([
  [{ kind: "id", id: DIGEST }],
  [{ kind: "reference", reference: { domain: "docker.io", path: "library/busybox", tag: "1.36" } }],
  [{ kind: "reference", reference: { domain: "localhost:5000", path: "a/b-c/d", tag: "x_Y.z" } }],
  [{ kind: "reference", reference: { domain: "Registry.Example:443", path: "a", digest: DIGEST } }],
  [{ kind: "reference", reference: { domain: "[fd00::1]:5000", path: "a", tag: "latest" } }],
])("%j comes back from its name at the door", (target) => {
  const [, repository = "", tag = ""] = /^door\.berth\/(.+):([^:]+)$/.exec(formatDoorName(target)) ?? [];
  expect(repository).toMatch(/^[a-z0-9/._-]+$/);
  expect(parseDoorName(repository, tag)).toEqual(target);
});

it.each([
  ["library/busybox", "latest"],
  ["tag/xyz/busybox", "latest"],
  ["tag/646f", "latest"],
  ["id/646f", "latest"],
  [`id/${"a1".repeat(32)}/more`, "latest"],
  [`digest/646f/busybox`, "latest"],
  ["tag/646f/busybox", "-no-tag"],
])("%s:%s means nothing there", (repository, tag) => expect(parseDoorName(repository, tag)).toBeUndefined());
