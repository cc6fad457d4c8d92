import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { portSetContains } from "../spec/port-set.ts";
import { runs } from "../spec/port-spec.testing.ts";
import {
  addLeases,
  eachLease,
  endpointsOverlap,
  findOverlap,
  type HostEndpoint,
  type Lease,
  leasesOf,
  NO_LEASES,
  portsAgainst,
  removeLeases,
} from "./leases.ts";

function at(hostIp: string, hostPort = 80, protocol: HostEndpoint["protocol"] = "tcp") {
  return {
    hostIp,
    hostPort,
    protocol,
  };
}

describe("endpointsOverlap", () => {
  test.each([
    ["0.0.0.0", "0.0.0.0", true],
    ["0.0.0.0", "127.0.0.1", true],
    ["127.0.0.1", "0.0.0.0", true],
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.1", "127.0.0.2", false],
    ["::", "::1", true],
    ["::1", "::", true],
    ["::1", "::2", false],
    ["0.0.0.0", "::", false],
    ["::", "0.0.0.0", false],
    ["0.0.0.0", "::1", false],
    ["127.0.0.1", "::", false],
  ])("%s and %s: %s", (a, b, overlap) => {
    expect(endpointsOverlap(at(a), at(b))).toBe(overlap);
  });

  test("different ports or protocols never overlap", () => {
    expect(endpointsOverlap(at("::", 80), at("::", 81))).toBe(false);
    expect(endpointsOverlap(at("::", 80, "tcp"), at("::", 80, "udp"))).toBe(false);
  });
});

const endpoint: fc.Arbitrary<HostEndpoint> = fc.record({
  hostIp: fc.constantFrom("0.0.0.0", "127.0.0.1", "127.0.0.2", "::", "::1"),
  hostPort: fc.integer({ min: 1, max: 6 }),
  protocol: fc.constantFrom("tcp", "udp"),
});
function same(a: HostEndpoint) {
  return (b: HostEndpoint) => a.hostIp === b.hostIp && a.hostPort === b.hostPort && a.protocol === b.protocol;
}
function text({ hostIp, hostPort, protocol, holder }: Lease<number>) {
  return `${protocol} ${hostIp} ${hostPort} ${holder}`;
}

test("adding and removing leases agrees with a plain list", () => {
  const batch = fc.record({ add: fc.boolean(), endpoints: fc.array(endpoint, { maxLength: 8 }) });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 5 }), endpoint, (batches, probe) => {
      let held = leasesOf<number>([]);
      let list: readonly Lease<number>[] = [];
      for (const [holder, { add, endpoints }] of batches.entries()) {
        const fresh = endpoints.map((one) => ({ ...one, holder }));
        const before = [...eachLease(held)].map(text);
        const after = add ? addLeases(held, fresh) : removeLeases(held, endpoints);
        expect([...eachLease(held)].map(text)).toEqual(before);
        held = after;
        list = list.filter((lease) => !endpoints.some(same(lease)));
        if (add) list = [...list, ...fresh.filter((lease, index) => !fresh.slice(index + 1).some(same(lease)))];
      }
      expect([...eachLease(held)].map(text).sort()).toEqual(list.map(text).sort());
      const found = findOverlap(held, probe);
      const overlapping = list.filter((lease) => endpointsOverlap(lease, probe));
      expect(found === undefined).toBe(overlapping.length === 0);
      if (found !== undefined) expect(overlapping.map(text)).toContain(text(found));
      const against = portsAgainst(held, probe.protocol, probe.hostIp);
      expect(against.some((set) => portSetContains(set, probe.hostPort))).toBe(overlapping.length > 0);
    }),
    { numRuns: runs(500) },
  );
});

test("findOverlap finds a lease among many", () => {
  const held = leasesOf([3, 5, 8, 13].map((port) => ({ ...at("::1", port), holder: port })));
  expect([3, 5, 8, 13].map((port) => findOverlap(held, at("::1", port))?.holder)).toEqual([3, 5, 8, 13]);
  expect([1, 4, 14].map((port) => findOverlap(held, at("::", port)))).toEqual([undefined, undefined, undefined]);
});

test("eachLease is in ascending order of port", () => {
  const ports = [5, 3, 9, 1];
  const held = addLeases(leasesOf(ports.map((port) => ({ ...at("::", port), holder: "a" }))), [
    { ...at("::", 4), holder: "b" },
  ]);
  expect([...eachLease(held)].map(({ hostPort }) => hostPort)).toEqual([1, 3, 4, 5, 9]);
});

test("removing the last lease of an address leaves nothing behind", () => {
  const held = leasesOf([
    { ...at("::1"), holder: 1 },
    { ...at("::2"), holder: 2 },
  ]);
  expect(removeLeases(held, [at("::1"), at("::2")])).toEqual(NO_LEASES);
  expect(removeLeases(held, [at("::3"), at("127.0.0.1"), at("::1", 81)])).toEqual(held);
  expect(removeLeases(NO_LEASES, [at("::")])).toEqual(NO_LEASES);
});
