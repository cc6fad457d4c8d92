import fc from "fast-check";
import { expect, test } from "vitest";
import { type PortSet, portSet, portSetContains, portSetIntersect, portSetSubtract } from "../spec/port-set.ts";
import { portRange, runs } from "../spec/port-spec.testing.ts";
import type { Protocol } from "../spec/protocol.ts";
import { allocate } from "./allocate.ts";
import { endpointsOverlap, type HostEndpoint, type Lease, leasesOf } from "./leases.ts";
import type { PortPolicy } from "./port-policy.ts";
import type { PortAssignment, PortWish } from "./port-wish.ts";

// A world of five ports, a few addresses and two protocols: small enough to try every assignment there is.
const LAST = 5;
const port = fc.integer({ min: 1, max: LAST });
const address = fc.constantFrom("0.0.0.0", "127.0.0.1", "127.0.0.2", "::", "::1");
const protocol: fc.Arbitrary<Protocol> = fc.constantFrom("tcp", "tcp", "udp");
const ports = fc.array(portRange(1, LAST), { minLength: 1, maxLength: 2 }).map((ranges) => portSet(...ranges));

const lease: fc.Arbitrary<Lease<string>> = fc.record({
  hostIp: address,
  hostPort: port,
  protocol,
  holder: fc.constant("held"),
});

const wish: fc.Arbitrary<PortWish> = fc
  .record({
    containerPort: fc.constant(80),
    protocol,
    hostIp: fc.oneof(fc.constant(""), address),
    hostPorts: fc.oneof(fc.constant(undefined), portRange(1, LAST)),
    preferred: fc.option(port, { nil: undefined }),
  })
  .map(({ preferred, ...rest }) => (preferred === undefined ? rest : { ...rest, preferred }));

const policy: fc.Arbitrary<PortPolicy<string>> = fc.record({
  anyAddress: fc.constantFrom(["0.0.0.0"], ["0.0.0.0", "::"], ["127.0.0.1"]),
  dynamic: ports,
  reserved: fc.option(ports, { nil: undefined }),
  permitted: fc.option(fc.record({ tcp: ports, udp: ports, sctp: ports }), { nil: undefined }),
  reservations: fc.array(lease, { maxLength: 2 }).map((leases) => leasesOf(leases)),
  seed: fc.integer({ min: -9, max: 9 }),
});

const world = fc.record({
  wishes: fc.array(wish, { minLength: 1, maxLength: 6 }),
  taken: fc.array(lease, { maxLength: 5 }),
  policy,
});

/** The ports that a wish may have by the policy. */
function allowed({ hostPorts, protocol: proto }: PortWish, rules: PortPolicy<string>): PortSet {
  const wanted = hostPorts ? portSet(hostPorts) : portSetSubtract(rules.dynamic, rules.reserved ?? portSet());
  return rules.permitted ? portSetIntersect(wanted, rules.permitted[proto]) : wanted;
}

function endpoints({ hostIp, protocol: proto }: PortWish, hostPort: number, rules: PortPolicy<string>): HostEndpoint[] {
  return (hostIp === "" ? rules.anyAddress : [hostIp]).map((ip) => ({ hostIp: ip, hostPort, protocol: proto }));
}

/** Whether any assignment exists, found by trying all. */
function exists(wishes: readonly PortWish[], held: readonly HostEndpoint[], rules: PortPolicy<string>): boolean {
  const [first, ...rest] = wishes;
  if (first === undefined) return true;
  for (let candidate = 1; candidate <= LAST; candidate++) {
    if (!portSetContains(allowed(first, rules), candidate)) continue;
    const mine = endpoints(first, candidate, rules);
    if (mine.some((one) => held.some((other) => endpointsOverlap(one, other)))) continue;
    if (exists(rest, [...held, ...mine], rules)) return true;
  }
  return false;
}

function reserved(rules: PortPolicy<string>): readonly HostEndpoint[] {
  return [...(rules.reservations?.fields.values() ?? [])].flatMap((field) =>
    [...field.addresses.values()].flatMap(({ leases }) => leases),
  );
}

test("allocate succeeds exactly if an assignment exists, and obeys every rule", () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 0, max: 6 }), ({ wishes, taken, policy: rules }, cut) => {
      const requests = [
        { holder: "a", wishes: wishes.slice(0, cut) },
        { holder: "b", wishes: wishes.slice(cut) },
      ];
      const held = [...taken, ...reserved(rules)];
      const given = allocate(requests, leasesOf(taken), rules);
      expect(given.ok).toBe(exists(wishes, held, rules));
      if (given.ok) expectRules(given.value, wishes, held, rules);
      expect(allocate(requests, leasesOf(taken), rules)).toEqual(given);
    }),
    { numRuns: runs(1_000) },
  );
});

function expectRules(
  given: readonly PortAssignment[],
  wishes: readonly PortWish[],
  held: readonly HostEndpoint[],
  rules: PortPolicy<string>,
) {
  const left = [...given];
  for (const one of wishes) {
    const mine = left.splice(0, one.hostIp === "" ? rules.anyAddress.length : 1);
    const [{ hostPort } = { hostPort: 0 }] = mine;
    expect(mine).toMatchObject(endpoints(one, hostPort, rules));
    expect(portSetContains(allowed(one, rules), hostPort)).toBe(true);
  }
  expect(left).toEqual([]);
  for (const [index, one] of given.entries()) {
    expect([...held, ...given.slice(0, index)].some((other) => endpointsOverlap(one, other))).toBe(false);
  }
}
