import fc from "fast-check";
import { expect, it } from "vitest";
import {
  contains,
  formatAddress,
  formatSubnet,
  nextFree,
  overlaps,
  parseAddress,
  parseSubnet,
  sizeOf,
} from "./ipv4.ts";

const address = fc.nat({ max: 2 ** 32 - 1 });
const subnet = fc
  .tuple(address, fc.integer({ min: 0, max: 32 }))
  .map(([base, prefixLength]) => ({ base: base - (base % 2 ** (32 - prefixLength)), prefixLength }));

it("reads what it writes", () => {
  fc.assert(
    fc.property(address, subnet, (number, one) => {
      expect(parseAddress(formatAddress(number))).toBe(number);
      expect(parseSubnet(formatSubnet(one))).toEqual(one);
    }),
  );
});

it.each(["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.-4", "1.2.3.4 ", "a.b.c.d", "::1"])(
  "refuses %j as an address",
  (text) => expect(parseAddress(text)).toBeUndefined(),
);

it.each(["10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0/8", "/8", "fd00::/8"])(
  "refuses %j as a subnet",
  (text) => expect(parseSubnet(text)).toBeUndefined(),
);

it("drops the bits behind the prefix", () =>
  expect(parseSubnet("172.29.3.4/16")).toEqual(parseSubnet("172.29.0.0/16")));

it("says that subnets overlap where an address is in both", () => {
  fc.assert(
    fc.property(subnet, subnet, (a, b) => {
      // Of two subnets one holds the other or nothing of it, so the first address of each tells.
      expect(overlaps(a, b)).toBe(contains(a, b.base) || contains(b, a.base));
      expect(overlaps(a, b)).toBe(overlaps(b, a));
      expect(overlaps(a, a)).toBe(true);
    }),
  );
});

it("goes round, gives only what is free, and fails only where nothing is", () => {
  const small = fc.tuple(address, fc.integer({ min: 27, max: 32 })).map(([base, prefixLength]) => ({
    base: base - (base % 2 ** (32 - prefixLength)),
    prefixLength,
  }));
  fc.assert(
    fc.property(small, fc.array(fc.nat(31)), fc.option(fc.nat(31), { nil: undefined }), (range, offsets, last) => {
      const taken = new Set(offsets.map((offset) => range.base + offset));
      const from = last === undefined ? undefined : range.base + last;
      const found = nextFree(range, from, (one) => !taken.has(one));
      const free = Array.from({ length: sizeOf(range) }, (_, index) => range.base + index).filter(
        (one) => !taken.has(one),
      );
      if (found === undefined) expect(free).toEqual([]);
      else {
        expect(free).toContain(found);
        const after =
          from === undefined || !contains(range, from) ? free[0] : (free.find((one) => one > from) ?? free[0]);
        expect(found).toBe(after);
      }
    }),
  );
});
