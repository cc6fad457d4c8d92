import type { Protocol } from "@berth/port-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Check } from "./check.ts";
import type { ConstraintId, Effect, OwnedConstraint, Privilege } from "./constraint.ts";
import { anyBaseline, anyConstraints, anyRequest, effectiveFor } from "./constraints.testing.ts";
import { type Decision, decide } from "./decide.ts";
import { parseConstraint } from "./parse-constraint.ts";
import type { DecisionRequest } from "./request.ts";
import type { UserId } from "./user.ts";

const RUNS = { numRuns: 300 };

function withId(constraint: OwnedConstraint, id: number) {
  return { ...constraint, id: id as ConstraintId };
}

/** What matters of a decision when ids and owners differ. */
function outcomes(decision: Decision) {
  return {
    allowed: decision.allowed,
    checks: decision.checks.map(({ kind, item, refusals }) => ({
      kind,
      item,
      reasons: refusals.map((one) => one.reason),
    })),
    portChoices: decision.portChoices,
  };
}

/** The refusals of the same question in another decision. Only shared quotas are asked about where there are some alone. */
function refusalsAgain({ checks }: Decision, { kind, item }: Check, index: number): Check["refusals"] {
  if (kind !== "shared-quota") return checks[index]?.refusals ?? [];
  const resource = item.split(":")[0];
  return checks.find((one) => one.kind === kind && one.item.split(":")[0] === resource)?.refusals ?? [];
}

/** A request for something that a text of a refusal names; undefined for kinds whose texts are amounts. */
function sampleOf(kind: Check["kind"], text: string): DecisionRequest | undefined {
  switch (kind) {
    case "host-ports": {
      const [ports = "", protocol] = text.split("/");
      const [start = 0, end = start] = ports.split("-").map(Number);
      return { ports: [{ hostIp: "", hostPort: { start, end }, protocol: protocol as Protocol }] };
    }
    case "host-interfaces": {
      const address = text.replace(/\/.*/, "");
      const hostIp = text === "*" ? "" : address === "::" ? "::2" : address;
      return { ports: [{ hostIp, hostPort: "dynamic", protocol: "tcp" }] };
    }
    case "images":
      return { images: [{ references: [text.replaceAll("*", "x")] }] };
    case "mounts":
      return { mounts: [{ path: text.replace(/ \(read-only\)$/, ""), readOnly: text.endsWith(" (read-only)") }] };
    case "privileges":
      return { privileges: [text as Privilege] };
    default:
      return undefined;
  }
}

function one(effect: Effect): fc.Arbitrary<OwnedConstraint> {
  return anyConstraints
    .filter((list) => list.some((constraint) => constraint.effect === effect))
    .map((list) => withId(list.find((constraint) => constraint.effect === effect) as OwnedConstraint, 99));
}

describe("the lattice", () => {
  test("order changes neither decision nor explanation", () => {
    fc.assert(
      fc.property(
        anyRequest,
        anyBaseline,
        anyConstraints.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray([...list], { minLength: list.length })),
        ),
        (request, baseline, [list, shuffled]) => {
          expect(decide(request, effectiveFor(shuffled, baseline))).toEqual(
            decide(request, effectiveFor(list, baseline)),
          );
        },
      ),
      RUNS,
    );
  });

  test("a duplicate constraint changes nothing", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
        const same = decide(request, effectiveFor([...list, ...list], baseline));
        expect(same).toEqual(decide(request, effectiveFor(list, baseline)));
        const copies = list.map((constraint) => withId(constraint, constraint.id + 50));
        const copied = decide(request, effectiveFor([...list, ...copies], baseline));
        expect(outcomes(copied)).toEqual(outcomes(decide(request, effectiveFor(list, baseline))));
      }),
      RUNS,
    );
  });

  test("the owner of a constraint does not affect decisions", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
        const moved = list.map((constraint) => ({ ...constraint, owner: { type: "group", id: 7 } }) as OwnedConstraint);
        expect(outcomes(decide(request, effectiveFor(moved, baseline)))).toEqual(
          outcomes(decide(request, effectiveFor(list, baseline))),
        );
      }),
      RUNS,
    );
  });

  test.each(["limit", "deny"] as const)("one more %s never permits more", (effect) => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, one(effect), (request, baseline, list, more) => {
        const before = decide(request, effectiveFor(list, baseline));
        const after = decide(request, effectiveFor([...list, more], baseline));
        expect(after.allowed && !before.allowed).toBe(false);
      }),
      RUNS,
    );
  });

  test("another grant never permits less", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, one("grant"), (request, baseline, list, more) => {
        const before = decide(request, effectiveFor(list, baseline));
        const after = decide(request, effectiveFor([...list, more], baseline));
        expect(before.allowed && !after.allowed).toBe(false);
      }),
      RUNS,
    );
  });

  test("a smaller request passes if a larger one does", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
        const effective = effectiveFor(list, baseline);
        if (!decide(request, effective).allowed) return;
        const less = [
          { ...request, ports: request.ports?.slice(1) ?? [] },
          { ...request, mounts: [] },
          { ...request, privileges: request.privileges?.slice(1) ?? [] },
          { ...request, images: [] },
          { ...request, networks: request.networks?.slice(1) ?? [] },
          { ...request, subnets: [] },
          { ...request, quantities: {} },
        ];
        for (const wish of less) expect(decide(wish, effective).allowed).toBe(true);
      }),
      RUNS,
    );
  });

  test("a constraint of one kind does not affect the checks of other kinds", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, one("limit"), (request, baseline, list, more) => {
        const others = (decision: Decision) => outcomes(decision).checks.filter((check) => check.kind !== more.kind);
        expect(others(decide(request, effectiveFor([...list, more], baseline)))).toEqual(
          others(decide(request, effectiveFor(list, baseline))),
        );
      }),
      RUNS,
    );
  });

  test("a deny wins over any number of grants", () => {
    fc.assert(
      fc.property(anyBaseline, anyConstraints, (baseline, list) => {
        const deny: OwnedConstraint = {
          id: 99 as ConstraintId,
          kind: "privileges",
          effect: "deny",
          privileges: ["privileged"],
          owner: { type: "user", id: 1 as UserId },
          expiresAt: null,
        };
        expect(decide({ privileges: ["privileged"] }, effectiveFor([...list, deny], baseline)).allowed).toBe(false);
      }),
      RUNS,
    );
  });
});

describe("explanations", () => {
  test("without the constraints that a check names, only a missing grant can refuse", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
        const decision = decide(request, effectiveFor(list, baseline));
        for (const [index, check] of decision.checks.entries()) {
          const named = new Set(
            check.refusals.flatMap((refusal) => refusal.constraints.map((constraint) => constraint.id)),
          );
          const rest = list.filter((constraint) => !named.has(constraint.id));
          const mended = refusalsAgain(decide(request, effectiveFor(rest, baseline)), check, index);
          expect(mended.filter((refusal) => refusal.constraints.length > 0)).toEqual([]);
          if (check.refusals.every((refusal) => refusal.constraints.length > 0)) expect(mended).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  test("what a refusal says would pass does pass", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
        const effective = effectiveFor(list, baseline);
        for (const check of decide(request, effective).checks) {
          // What is left around a deny is told by the deny, not by an example.
          for (const text of check.passing.filter((one) => !one.includes(" except "))) {
            const sample = sampleOf(check.kind, text);
            if (sample === undefined) continue;
            const again = decide(sample, effective).checks.filter(({ kind }) => kind === check.kind);
            expect([text, again.flatMap(({ refusals }) => refusals)]).toEqual([text, []]);
          }
        }
      }),
      RUNS,
    );
  });

  test("each constraint named for an item refuses that item on its own", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
        const decision = decide(request, effectiveFor(list, baseline));
        for (const [index, check] of decision.checks.entries()) {
          // Of several ports, or names of an image, constraints can take each a part: then none refuses alone.
          if (check.kind === "host-ports") continue;
          if (check.kind === "images" && request.images?.some(({ references }) => references.length > 1)) continue;
          for (const constraint of check.refusals.flatMap((refusal) => refusal.constraints)) {
            const alone = list.filter((other) => other.id === constraint.id || other.effect === "grant");
            expect(refusalsAgain(decide(request, effectiveFor(alone, baseline)), check, index)).not.toEqual([]);
          }
        }
      }),
      RUNS,
    );
  });

  test("a decision allows exactly when no check refuses", () => {
    fc.assert(
      fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
        const decision = decide(request, effectiveFor(list, baseline));
        expect(decision.allowed).toBe(decision.checks.every((check) => check.refusals.length === 0));
      }),
      RUNS,
    );
  });
});

test("a port is permitted exactly when ((baseline ∪ grants) ∩ limits) − denies holds it", () => {
  fc.assert(
    fc.property(anyBaseline, anyConstraints, fc.integer({ min: 1, max: 20 }), (baseline, list, port) => {
      const holds = (ranges: readonly { start: number; end: number; protocol?: string }[]) =>
        ranges.some((range) => range.start <= port && port <= range.end && (range.protocol ?? "tcp") === "tcp");
      const rules = list.flatMap((constraint) => (constraint.kind === "host-ports" ? [constraint] : []));
      const of = (effect: Effect) => rules.filter((rule) => rule.effect === effect);
      const right =
        (holds(baseline.hostPorts) || of("grant").some((rule) => holds(rule.ports))) &&
        of("limit").every((rule) => holds(rule.ports)) &&
        !of("deny").some((rule) => holds(rule.ports));
      const decision = decide(
        { ports: [{ hostIp: "", hostPort: { start: port, end: port }, protocol: "tcp" }] },
        effectiveFor(rules, baseline),
      );
      const check = decision.checks.find((one_) => one_.kind === "host-ports");
      expect(check?.refusals.length === 0).toBe(right);
    }),
    { numRuns: 1_000 },
  );
});

test("splitting a range does not affect decisions", () => {
  fc.assert(
    fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
      const split = list.map((constraint) =>
        constraint.kind !== "host-ports"
          ? constraint
          : {
              ...constraint,
              ports: constraint.ports.flatMap((range) =>
                range.start === range.end
                  ? [range]
                  : [
                      { ...range, end: range.start },
                      { ...range, start: range.start + 1 },
                    ],
              ),
            },
      );
      expect(outcomes(decide(request, effectiveFor(split, baseline)))).toEqual(
        outcomes(decide(request, effectiveFor(list, baseline))),
      );
    }),
    RUNS,
  );
});

test("a constraint written as JSON and read again decides the same", () => {
  fc.assert(
    fc.property(anyRequest, anyBaseline, anyConstraints, (request, baseline, list) => {
      const again = list.map((constraint) => {
        const parsed = parseConstraint(JSON.parse(JSON.stringify(constraint)));
        if (!parsed.ok) throw new Error(parsed.error.detail);
        return { ...parsed.value, id: constraint.id, owner: constraint.owner, expiresAt: null } as OwnedConstraint;
      });
      expect(outcomes(decide(request, effectiveFor(again, baseline)))).toEqual(
        outcomes(decide(request, effectiveFor(list, baseline))),
      );
    }),
    RUNS,
  );
});
