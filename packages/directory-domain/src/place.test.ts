import { PROTOCOLS, portSet, portSetIntersect, portSetUnion } from "@berth/port-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BASELINES } from "./baseline.ts";
import { effectivePorts } from "./check-port.ts";
import { effectiveQuota } from "./check-quota.ts";
import type { Constraint, ConstraintId } from "./constraint.ts";
import { anyBaseline, anyConstraints, anyRequest, effectiveFor } from "./constraints.testing.ts";
import { decide } from "./decide.ts";
import { explain } from "./explain.ts";
import type { GroupId } from "./group.ts";
import { PLACE_RESOURCES, type PlaceGrant, withinPlace } from "./place.ts";
import type { DecisionRequest } from "./request.ts";

const GIB = 2 ** 30;
const CI: PlaceGrant = {
  id: "7@ci",
  name: "ci",
  size: { memory: 4 * GIB, cpu: 2, pids: 100 },
  ports: [{ start: 8080, end: 8080, protocol: "tcp" }],
};
const DYNAMIC = [{ start: 32_768, end: 60_999 }];

function decided(request: DecisionRequest, ...constraints: readonly Constraint[]) {
  const owned = constraints.map((one, at) => ({
    ...one,
    id: (at + 1) as ConstraintId,
    owner: { type: "group", id: 3 as GroupId, name: "web" } as const,
    expiresAt: null,
  }));
  return decide(request, withinPlace(effectiveFor(owned, BASELINES.safe), CI, DYNAMIC));
}

function port(hostPort: number | "dynamic"): DecisionRequest {
  const range = hostPort === "dynamic" ? hostPort : { start: hostPort, end: hostPort };
  return { ports: [{ hostIp: "", hostPort: range, protocol: "tcp" }] };
}

describe("what holds in a place", () => {
  test.each<[string, DecisionRequest, readonly Constraint[], string]>([
    ["a port of the place", port(8080), [], ""],
    ["a dynamic port", port("dynamic"), [], ""],
    [
      "another port",
      port(9000),
      [],
      "denied by policy: host-ports 9000/tcp is outside the limit set by place ci (would pass: 8080/tcp, 32768-60999/tcp)",
    ],
    [
      "a port of the place that its user may not publish",
      port(8080),
      [{ kind: "host-ports", effect: "limit", ports: [{ start: 9000, end: 9000 }] }],
      "denied by policy: host-ports 8080/tcp is outside the limit set by constraint 1 of group web; ask an administrator for permission",
    ],
    ["no limit of memory, although its user has a quota", { quantities: { memory: "unlimited" } }, [quota(GIB)], ""],
    ["more memory than its user's quota, within the place", { quantities: { memory: 2 * GIB } }, [quota(GIB)], ""],
    [
      "more memory than the place has left",
      { quantities: { memory: 3 * GIB }, used: { memory: 2 * GIB } },
      [],
      "denied by policy: quota memory: 3 GiB more than the 2 GiB in use is over the quota set by place ci (would pass: at most 4 GiB in all): add --memory 2g or less",
    ],
    [
      "another control group",
      { privileges: ["cgroup-parent"] },
      [{ kind: "privileges", effect: "grant", privileges: ["cgroup-parent"] }],
      "denied by policy: privileges cgroup-parent is denied by place ci; ask an administrator for permission",
    ],
    [
      "one container more than its user may have",
      { quantities: { containers: 1 }, used: { containers: 1 } },
      [{ kind: "quota", effect: "limit", resource: "containers", max: 1 }],
      "denied by policy: quota containers: 1 more than the 1 in use is over the quota set by constraint 1 of group web (would pass: at most 1 in all)",
    ],
  ])("decides on %s", (_, request, constraints, expected) => {
    expect(explain(decided(request, ...constraints))).toBe(expected);
  });

  test("never permits a port that the user may not publish, nor one that is neither the place's nor dynamic", () => {
    fc.assert(
      fc.property(anyBaseline, anyConstraints, (baseline, list) => {
        const effective = effectiveFor(list, baseline);
        const inside = withinPlace(effective, { ...CI, ports: [{ start: 3, end: 5 }] }, [{ start: 9, end: 10 }]);
        for (const protocol of PROTOCOLS) {
          const place = portSetUnion(portSet({ start: 3, end: 5 }), portSet({ start: 9, end: 10 }));
          const both = portSetIntersect(effectivePorts(effective, protocol), place);
          expect(effectivePorts(inside, protocol)).toEqual(both);
        }
      }),
    );
  });

  test("leaves every decision that is about neither ports nor amounts nor control groups as it is for the user", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
        const effective = effectiveFor(list, baseline);
        const { images = [], mounts = [], networks = [] } = request;
        const rest = { images, mounts, networks };
        expect(decide(rest, withinPlace(effective, CI, DYNAMIC)).checks).toEqual(decide(rest, effective).checks);
      }),
    );
  });

  test("has exactly the place's quotas, whatever its user's are", () => {
    fc.assert(
      fc.property(anyBaseline, anyConstraints, (baseline, list) => {
        const inside = withinPlace(effectiveFor(list, baseline), CI, DYNAMIC);
        for (const resource of PLACE_RESOURCES) expect(effectiveQuota(inside, resource)).toBe(CI.size[resource]);
      }),
    );
  });
});

function quota(max: number): Constraint {
  return { kind: "quota", effect: "limit", resource: "memory", max };
}
