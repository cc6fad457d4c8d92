import fc from "fast-check";
import { expect, test } from "vitest";
import { listenedAddresses, parseAddressBlock } from "./address.ts";
import { contains, intersect, intervals, overlaps, subtract } from "./intervals.ts";

function inside(block: string, hostIp: string) {
  const wanted = listenedAddresses(hostIp);
  return wanted !== undefined && contains(intervals([parseAddressBlock(block) ?? []].flat()), [wanted]);
}

test.each([
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.5/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["127.0.0.1", "0.0.0.0", false],
  ["127.0.0.1", "", false],
  ["0.0.0.0/0", "", false],
  ["*", "", true],
  ["0.0.0.0/0", "0.0.0.0", true],
  ["0.0.0.0/0", "::", false],
  ["*", "::", true],
  ["10.0.0.5", "::ffff:10.0.0.5", true],
  ["::ffff:10.0.0.0/104", "10.0.0.5", true],
  ["fd00::/8", "fd12:3456::1", true],
  ["fd00::/8", "fe80::1", false],
  ["::1", "::1", true],
  ["*", "nonsense", false],
])("%s holds a binding on %j: %s", (block, hostIp, expected) => expect(inside(block, hostIp)).toBe(expected));

test.each([
  "",
  "10.0.0",
  "010.0.0.1",
  "10.0.0.0/33",
  "10.0.0.0/08",
  "::/129",
  "fe80::1%eth0",
  "10.0.0.0/8/8",
  "a.b.c.d",
  "1.2.3.4/",
])("%j is no block", (text) => expect(parseAddressBlock(text)).toBeUndefined());

const set = fc
  .array(fc.tuple(fc.bigInt({ min: 0n, max: 30n }), fc.bigInt({ min: 0n, max: 6n })), { maxLength: 6 })
  .map((list) => intervals(list.map(([start, more]) => ({ start, end: start + more }))));
function members(of: ReturnType<typeof intervals>) {
  return new Set(
    Array.from({ length: 40 }, (_, n) => BigInt(n)).filter((n) => of.some((one) => one.start <= n && n <= one.end)),
  );
}

test("interval algebra is the algebra of the sets of their members", () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const [left, right] = [members(a), members(b)];
      expect(members(intersect(a, b))).toEqual(new Set([...left].filter((n) => right.has(n))));
      expect(members(subtract(a, b))).toEqual(new Set([...left].filter((n) => !right.has(n))));
      expect(contains(a, b)).toBe([...right].every((n) => left.has(n)));
      expect(overlaps(a, b)).toBe([...right].some((n) => left.has(n)));
      expect(intervals(a)).toEqual(a);
    }),
  );
});
