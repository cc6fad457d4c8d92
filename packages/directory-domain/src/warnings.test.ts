import fc from "fast-check";
import { expect, test } from "vitest";
import { BASELINES } from "./baseline.ts";
import type { Constraint, ConstraintId, OwnedConstraint } from "./constraint.ts";
import { anyBaseline, anyConstraints, anyRequest, effectiveFor } from "./constraints.testing.ts";
import { decide } from "./decide.ts";
import type { GroupId } from "./group.ts";
import { warningsOf } from "./warnings.ts";

function owned(...constraints: readonly Constraint[]) {
  return constraints.map(
    (one, index) =>
      ({ ...one, id: index + 1, owner: { type: "group", id: 3 as GroupId }, expiresAt: null }) as OwnedConstraint,
  );
}
function ports(effect: Constraint["effect"], start: number, end: number): Constraint {
  return {
    kind: "host-ports",
    effect,
    ports: [{ start, end }],
  };
}
function found(...constraints: readonly Constraint[]) {
  return warningsOf(effectiveFor(owned(...constraints), BASELINES.safe)).map((one) => [
    one.warning,
    one.constraints.map(({ id }) => Number(id)),
  ]);
}

test.each<[string, readonly Constraint[], unknown[]]>([
  ["limits that meet nowhere", [ports("limit", 8000, 8099), ports("limit", 9000, 9099)], [["empty", [1, 2]]]],
  ["a deny of all that is granted", [ports("deny", 1, 65_535)], [["empty", [1]]]],
  ["a grant of the baseline", [ports("grant", 8000, 8099)], [["pointless", [1]]]],
  ["a grant within another", [ports("grant", 1, 100), ports("grant", 80, 80)], [["pointless", [2]]]],
  ["a wider limit", [ports("limit", 8000, 9000), ports("limit", 8000, 8099)], [["pointless", [1]]]],
  ["two of the same: the younger", [ports("deny", 8080, 8080), ports("deny", 8080, 8080)], [["pointless", [2]]]],
  [
    "a denied pattern within another",
    [
      { kind: "images", effect: "deny", patterns: ["docker.io/*"] },
      { kind: "images", effect: "deny", patterns: ["docker.io/library/*"] },
    ],
    [["pointless", [2]]],
  ],
  [
    "a limit on mounts where none is granted",
    [{ kind: "mounts", effect: "limit", folders: [{ path: "/srv", readOnly: true }] }],
    [["ungranted", [1]]],
  ],
  [
    "a limit on mounts beside a grant",
    [
      { kind: "mounts", effect: "grant", folders: [{ path: "/srv", readOnly: false }] },
      { kind: "mounts", effect: "limit", folders: [{ path: "/srv/data", readOnly: true }] },
    ],
    [],
  ],
  ["no mounts at all, as meant", [{ kind: "mounts", effect: "limit", folders: [] }], []],
  ["an empty list of images", [{ kind: "images", effect: "limit", patterns: [] }], [["empty", [1]]]],
  [
    "two limits on images that share none",
    [
      { kind: "images", effect: "limit", patterns: ["docker.io/acme/*"] },
      { kind: "images", effect: "limit", patterns: ["ghcr.io/*", "quay.io/*"] },
    ],
    [["empty", [1, 2]]],
  ],
  [
    "two limits on images that share some",
    [
      { kind: "images", effect: "limit", patterns: ["docker.io/acme/*"] },
      { kind: "images", effect: "limit", patterns: ["*:latest"] },
    ],
    [],
  ],
  [
    "a quota above another",
    [
      { kind: "quota", effect: "limit", resource: "memory", max: 9 },
      { kind: "quota", effect: "limit", resource: "memory", max: 5 },
    ],
    [["pointless", [1]]],
  ],
  ["a raise where no quota is", [{ kind: "quota", effect: "grant", resource: "memory", max: 9 }], [["pointless", [1]]]],
  ["what is as it should be", [ports("grant", 80, 80), ports("limit", 80, 8099), ports("deny", 8080, 8080)], []],
])("%s", (_name, constraints, expected) => expect(found(...constraints)).toEqual(expected));

test("removing pointless constraints does not affect decisions", () => {
  fc.assert(
    fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
      const warned = warningsOf(effectiveFor(list, baseline)).filter((one) => one.warning === "pointless");
      const ids = new Set<ConstraintId>(warned.flatMap((one) => one.constraints.map(({ id }) => id)));
      const rest = list.filter((one) => !ids.has(one.id));
      expect(decide(request, effectiveFor(rest, baseline)).allowed).toBe(
        decide(request, effectiveFor(list, baseline)).allowed,
      );
    }),
    { numRuns: 500 },
  );
});
