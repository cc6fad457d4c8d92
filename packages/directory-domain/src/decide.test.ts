import { expect, test } from "vitest";
import { BASELINES } from "./baseline.ts";
import type { Constraint, ConstraintId, OwnedConstraint } from "./constraint.ts";
import { effectiveFor } from "./constraints.testing.ts";
import { decide } from "./decide.ts";
import { effectiveConstraints } from "./effective.ts";
import { explain } from "./explain.ts";
import type { GroupId } from "./group.ts";
import type { DecisionRequest } from "./request.ts";

function owned(...constraints: readonly Constraint[]): readonly OwnedConstraint[] {
  return constraints.map((one, index) => ({
    ...one,
    id: (index + 1) as ConstraintId,
    owner: { type: "group", id: 3 as GroupId },
    expiresAt: null,
  }));
}

function port(start: number, end = start, hostIp = "") {
  return { ports: [{ hostIp, hostPort: { start, end }, protocol: "tcp" }] } satisfies DecisionRequest;
}
function image(...references: readonly string[]): DecisionRequest {
  return { images: [{ references }] };
}
function mount(path: string, readOnly = false): DecisionRequest {
  return { mounts: [{ path, readOnly }] };
}

const CASES: readonly [string, readonly Constraint[], DecisionRequest, boolean][] = [
  ["a port of the baseline", [], port(8080), true],
  ["a system port", [], port(80), false],
  ["a granted system port", [{ kind: "host-ports", effect: "grant", ports: [{ start: 80, end: 80 }] }], port(80), true],
  [
    "a grant for another protocol",
    [{ kind: "host-ports", effect: "grant", ports: [{ start: 80, end: 80, protocol: "udp" }] }],
    port(80),
    false,
  ],
  [
    "a port outside a limit",
    [{ kind: "host-ports", effect: "limit", ports: [{ start: 8000, end: 8099 }] }],
    port(8100),
    false,
  ],
  [
    "a range that reaches into a limit",
    [{ kind: "host-ports", effect: "limit", ports: [{ start: 8000, end: 8099 }] }],
    port(7990, 8000),
    true,
  ],
  [
    "a range that is all denied",
    [{ kind: "host-ports", effect: "deny", ports: [{ start: 8000, end: 8099 }] }],
    port(8000, 8010),
    false,
  ],
  [
    "every interface under a limit to one",
    [{ kind: "host-interfaces", effect: "limit", addresses: ["127.0.0.1"] }],
    port(8080),
    false,
  ],
  [
    "the interface of the limit",
    [{ kind: "host-interfaces", effect: "limit", addresses: ["127.0.0.1"] }],
    port(8080, 8080, "127.0.0.1"),
    true,
  ],
  [
    "every interface over a denied one",
    [{ kind: "host-interfaces", effect: "deny", addresses: ["10.0.0.5"] }],
    port(8080),
    false,
  ],
  [
    "every interface over a denied one of IPv6",
    [{ kind: "host-interfaces", effect: "deny", addresses: ["fd00::1"] }],
    port(8080),
    false,
  ],
  [
    "an image inside a limit",
    [{ kind: "images", effect: "limit", patterns: ["docker.io/library/*"] }],
    image("docker.io/library/nginx:1"),
    true,
  ],
  [
    "an image outside it",
    [{ kind: "images", effect: "limit", patterns: ["docker.io/library/*"] }],
    image("quay.io/x:1"),
    false,
  ],
  ["an image without a name", [], image(), false],
  [
    "two limits that two names of one image meet",
    [
      { kind: "images", effect: "limit", patterns: ["docker.io/acme/*"] },
      { kind: "images", effect: "limit", patterns: ["ghcr.io/*"] },
    ],
    image("docker.io/acme/x:1", "ghcr.io/acme/x:1"),
    false,
  ],
  [
    "two limits that one of two names meets",
    [
      { kind: "images", effect: "limit", patterns: ["*/acme/*"] },
      { kind: "images", effect: "limit", patterns: ["ghcr.io/*"] },
    ],
    image("docker.io/acme/x:1", "ghcr.io/acme/x:1"),
    true,
  ],
  [
    "a denied alias of a permitted image",
    [{ kind: "images", effect: "deny", patterns: ["*/evil:*"] }],
    { images: [{ references: ["docker.io/library/nginx:1"], aliases: ["quay.io/evil:1"] }] },
    false,
  ],
  [
    "an alias that would permit",
    [{ kind: "images", effect: "limit", patterns: ["docker.io/library/*"] }],
    { images: [{ references: ["quay.io/x:1"], aliases: ["docker.io/library/nginx:1"] }] },
    false,
  ],
  ["any bind of the baseline", [], mount("/srv"), false],
  [
    "a bind below a granted folder",
    [{ kind: "mounts", effect: "grant", folders: [{ path: "/srv", readOnly: false }] }],
    mount("/srv/data"),
    true,
  ],
  [
    "a neighbour with the same start",
    [{ kind: "mounts", effect: "grant", folders: [{ path: "/srv", readOnly: false }] }],
    mount("/srvdata"),
    false,
  ],
  [
    "a way out by ..",
    [{ kind: "mounts", effect: "grant", folders: [{ path: "/srv", readOnly: false }] }],
    mount("/srv/../etc"),
    false,
  ],
  [
    "writing where reading is granted",
    [{ kind: "mounts", effect: "grant", folders: [{ path: "/srv", readOnly: true }] }],
    mount("/srv"),
    false,
  ],
  [
    "a parent of a denied path",
    [
      { kind: "mounts", effect: "grant", folders: [{ path: "/", readOnly: false }] },
      { kind: "mounts", effect: "deny", folders: [{ path: "/var/run/docker.sock", readOnly: false }] },
    ],
    mount("/var/run", true),
    false,
  ],
  [
    "ALL under a denied capability",
    [
      { kind: "privileges", effect: "grant", privileges: ["capability:ALL"] },
      { kind: "privileges", effect: "deny", privileges: ["capability:SYS_ADMIN"] },
    ],
    { privileges: ["capability:ALL"] },
    false,
  ],
  [
    "a capability under a granted ALL",
    [{ kind: "privileges", effect: "grant", privileges: ["capability:ALL"] }],
    { privileges: ["capability:NET_ADMIN"] },
    true,
  ],
  ["the last container of the quota", [], { quantities: { containers: 1 }, used: { containers: 19 } }, true],
  ["one container too many", [], { quantities: { containers: 1 }, used: { containers: 20 } }, false],
  [
    "a raised quota",
    [{ kind: "quota", effect: "grant", resource: "containers", max: 30 }],
    { quantities: { containers: 1 }, used: { containers: 20 } },
    true,
  ],
  [
    "the least of two limits",
    [
      { kind: "quota", effect: "limit", resource: "memory", max: 100 },
      { kind: "quota", effect: "limit", resource: "memory", max: 50 },
    ],
    { quantities: { memory: 60 } },
    false,
  ],
  [
    "no memory limit under a quota",
    [{ kind: "quota", effect: "limit", resource: "memory", max: 100 }],
    { quantities: { memory: "unlimited" } },
    false,
  ],
  [
    "storage that is used up, but not over its quota",
    [{ kind: "quota", effect: "limit", resource: "storage", max: 100 }],
    { quantities: { storage: 0 }, used: { storage: 100 } },
    true,
  ],
  ["no memory limit without a quota", [], { quantities: { memory: "unlimited" } }, true],
];

test.each(CASES)("%s", (_name, constraints, request, allowed) => {
  const decision = decide(request, effectiveFor(owned(...constraints), BASELINES.safe));
  expect(decision.allowed).toBe(allowed);
  expect(explain(decision) === "").toBe(allowed);
});

test("a dynamic port is chosen from the permitted ports, and refused if there are none", () => {
  const wish: DecisionRequest = { ports: [{ hostIp: "", hostPort: "dynamic", protocol: "tcp" }] };
  const few = owned(
    { kind: "host-ports", effect: "limit", ports: [{ start: 8000, end: 8099 }] },
    { kind: "host-ports", effect: "deny", ports: [{ start: 8050, end: 8098 }] },
  );
  expect(decide(wish, effectiveFor(few, BASELINES.safe)).portChoices).toEqual([
    {
      ranges: [
        { start: 8000, end: 8049 },
        { start: 8099, end: 8099 },
      ],
    },
  ]);
  expect(decide(wish, effectiveFor([], BASELINES.closed)).allowed).toBe(false);
});

test("a refusal names the constraints that refuse and what would pass", () => {
  const limits = owned(
    { kind: "host-ports", effect: "limit", ports: [{ start: 8000, end: 8099 }] },
    { kind: "host-ports", effect: "limit", ports: [{ start: 1, end: 65_535 }] },
  );
  expect(explain(decide(port(9000), effectiveFor(limits, BASELINES.safe)))).toBe(
    "denied by policy: host-ports 9000/tcp is outside the limit set by constraint 1 of group 3 (would pass: 8000-8099/tcp)",
  );
});

/** What a refusal says after `denied by policy: `. */
function refusal(request: DecisionRequest, ...constraints: readonly Constraint[]): string {
  const named = owned(...constraints).map((one) => ({
    ...one,
    owner: { type: "group", id: 3 as GroupId, name: "web" },
  }));
  return explain(decide(request, effectiveFor(named as readonly OwnedConstraint[], BASELINES.safe))).replace(
    "denied by policy: ",
    "",
  );
}

const GIB = 1024 ** 3;

test.each<[string, DecisionRequest, readonly Constraint[], string]>([
  [
    "the group by its name, and the image as it was typed",
    { images: [{ name: "redis", references: ["sha256:00", "docker.io/library/redis:latest"] }] },
    [{ kind: "images", effect: "limit", patterns: ["docker.io/acme/*"] }],
    "images redis is outside the limit set by constraint 1 of group web (would pass: docker.io/acme/*)",
  ],
  [
    "only what passes all limits, less what is denied",
    image("quay.io/x:1"),
    [
      { kind: "images", effect: "limit", patterns: ["docker.io/acme/*", "ghcr.io/*"] },
      { kind: "images", effect: "limit", patterns: ["docker.io/*"] },
      { kind: "images", effect: "deny", patterns: ["docker.io/acme/old*"] },
    ],
    "images quay.io/x:1 is outside the limit set by constraint 1 of group web and constraint 2 of group web " +
      "(would pass: docker.io/acme/* except docker.io/acme/old*)",
  ],
  [
    "nothing that a deny takes whole",
    image("docker.io/acme/x:1"),
    [
      { kind: "images", effect: "limit", patterns: ["docker.io/acme/x:1"] },
      { kind: "images", effect: "deny", patterns: ["docker.io/acme/*"] },
    ],
    "images docker.io/acme/x:1 is denied by constraint 2 of group web; ask an administrator for permission",
  ],
  [
    "the flag that a quota asks for, with what is left",
    { quantities: { memory: "unlimited" }, used: { memory: 1.5 * GIB } },
    [{ kind: "quota", effect: "limit", resource: "memory", max: 2 * GIB }],
    "quota memory: unlimited needs a limit under the quota set by constraint 1 of group web (would pass: at most 2 GiB in all): " +
      "add --memory 512m or less",
  ],
  [
    "processors",
    { quantities: { cpu: "unlimited" } },
    [{ kind: "quota", effect: "limit", resource: "cpu", max: 1 }],
    "quota cpu: unlimited needs a limit under the quota set by constraint 1 of group web (would pass: at most 1 CPU in all): " +
      "add --cpus 1 or less",
  ],
  [
    "an amount in its unit",
    { quantities: { memory: 4 * GIB }, used: { memory: GIB } },
    [{ kind: "quota", effect: "limit", resource: "memory", max: 4 * GIB }],
    "quota memory: 4 GiB more than the 1 GiB in use is over the quota set by constraint 1 of group web " +
      "(would pass: at most 4 GiB in all): add --memory 3g or less",
  ],
  [
    "the use of storage, which nobody asks for beforehand",
    { quantities: { storage: 0 }, used: { storage: 1.5 * GIB } },
    [{ kind: "quota", effect: "limit", resource: "storage", max: GIB }],
    "quota storage: 1.5 GiB in use is over the quota set by constraint 1 of group web (would pass: at most 1 GiB in all): " +
      "remove containers, volumes or files in them",
  ],
  [
    "whom to ask where nothing would pass",
    { privileges: ["privileged"] },
    [],
    "privileges privileged is not granted; ask an administrator for permission",
  ],
])("a refusal names %s", (_name, request, constraints, message) => {
  expect(refusal(request, ...constraints)).toBe(message);
});

test("administrators pass and see what they bypass, unless they are disabled", () => {
  const input = { constraints: [], baseline: BASELINES.safe, at: "2030-01-01T00:00:00.000Z" };
  const subject = { ...effectiveFor([], BASELINES.safe).subject, role: "admin" } as const;
  const decision = decide(port(80), effectiveConstraints({ ...input, subject }));
  expect(decision).toMatchObject({ allowed: true, bypass: "administrator" });
  expect(decision.checks.some((check) => check.refusals.length > 0)).toBe(true);
  const inactive = decide({}, effectiveConstraints({ ...input, subject: { ...subject, active: false } }));
  expect(inactive).toMatchObject({ allowed: false, bypass: null });
});

test("an unreadable constraint refuses everything", () => {
  const unreadable = [{ id: 9 as ConstraintId, owner: { type: "group", id: 3 as GroupId }, kind: "colour" }] as const;
  const effective = { ...effectiveFor([], BASELINES.open), unreadable };
  expect(decide({}, effective)).toMatchObject({ allowed: false });
  expect(explain(decide({}, effective))).toContain("constraint 9 of group 3");
});

test("a constraint does not apply from its expiry on", () => {
  const [deny] = owned({ kind: "images", effect: "deny", patterns: ["*"] });
  if (deny === undefined) throw new Error("no constraint");
  const at = (expiresAt: string | null) =>
    decide(image("a"), effectiveFor([{ ...deny, expiresAt }], BASELINES.safe)).allowed;
  expect(at("2030-01-01T00:00:00.000Z")).toBe(true);
  expect(at("2030-01-01T00:00:00.001Z")).toBe(false);
  expect(at("not an instant")).toBe(false);
});
