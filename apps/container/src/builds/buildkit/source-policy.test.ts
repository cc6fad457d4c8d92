import { expect, test } from "vitest";
import { doorConversions, sourcePolicy } from "./source-policy.ts";

const DOOR = "127.0.0.1:5000";
const DIGEST = "0".repeat(64);

/** What BuildKit makes of an image's name: the first conversion that matches, until none does. */
function converted(name: string): string {
  for (const [pattern, target] of doorConversions(DOOR)) {
    const match = new RegExp(pattern).exec(`docker-image://${name}`);
    if (match !== null)
      return target.replace(/\$\{(\d)\}/g, (_, at) => match[Number(at)] ?? "").replace("docker-image://", "");
  }
  return name;
}

test.each([
  ["docker.io/library/busybox:latest", "image/docker.io/library/busybox:latest"],
  ["registry.example.com/a/b_c/d-e:1.0_x", "image/registry.example.com/a/b_c/d-e:1.0_x"],
  ["localhost:5000/app:1", "port/5000/localhost/app:1"],
  ["10.0.0.5:5000/app", "port/5000/10.0.0.5/app"],
  ["128.0.0.1:5000/app:1", "port/5000/128.0.0.1/app:1"],
  [`docker.io/library/busybox:1@sha256:${DIGEST}`, `pin/docker.io/library/busybox:${DIGEST}`],
  [`localhost:5000/app@sha256:${DIGEST}`, `pin-port/5000/localhost/app:${DIGEST}`],
])("%s is asked for at the door as %s", (name, at) => expect(converted(name)).toBe(`${DOOR}/${at}`));

test.each([`${DOOR}/image/docker.io/library/busybox:latest`, `${DOOR}/image/docker.io/a:1@sha256:${DIGEST}`])(
  "%s, which is the door's, stays",
  (name) => expect(converted(name)).toBe(name),
);

/** What a policy without its conversions says of a source: the last rule that matches. */
function verdict(policy: ReturnType<typeof sourcePolicy>, source: string): string | undefined {
  return policy.rules
    .filter(({ action }) => action !== "CONVERT")
    .findLast(({ selector }) => new RegExp(selector?.identifier ?? "").test(source))?.action;
}

test.each([
  [`docker-image://${DOOR}/image/docker.io/library/busybox:latest`, "ALLOW", "ALLOW"],
  ["docker-image://127.0.0.1:5001/x:1", "DENY", "DENY"],
  ["docker-image://[::1]:5000/x:1", "DENY", "DENY"],
  ["local://context", "ALLOW", "ALLOW"],
  ["https://example.com/file", "ALLOW", "DENY"],
  ["git://example.com/a.git", "ALLOW", "DENY"],
  ["oci-layout://x/y@sha256:0", "DENY", "DENY"],
  ["docker-image+blob://x", "DENY", "DENY"],
  [`http://${DOOR}/offered/other`, "ALLOW", "DENY"],
])("of a user's sources %s is %s with the web, and %s without", (source, withWeb, without) => {
  expect(verdict(sourcePolicy(DOOR, { web: "allowed" }), source)).toBe(withWeb);
  expect(verdict(sourcePolicy(DOOR, { web: "denied" }), source)).toBe(without);
  expect(verdict(sourcePolicy(DOOR, "everything"), source)).toBeUndefined();
});

test("a user's build may fetch the context that Berth offers for it, and nothing beside", () => {
  const policy = sourcePolicy(DOOR, { web: "denied", context: `http://${DOOR}/offered/1` });
  expect(verdict(policy, `http://${DOOR}/offered/1`)).toBe("ALLOW");
  for (const url of [`http://${DOOR}/offered/12`, `http://127x0.0.1:5000/offered/1`, `http://${DOOR}/v2/`])
    expect(verdict(policy, url)).toBe("DENY");
});
