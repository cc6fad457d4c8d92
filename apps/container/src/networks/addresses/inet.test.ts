import { cidrContains } from "@berth/port-spec";
import fc from "fast-check";
import { expect, it } from "vitest";
import { nextFree, parseAddress, parseSubnet } from "./inet.ts";

it.each([
  "",
  "1.2.3",
  "1.2.3.4.5",
  "1.2.3.256",
  "01.2.3.4",
  "1.2.3.-4",
  "1.2.3.4 ",
  "a.b.c.d",
  "::1",
  "::ffff:1.2.3.4",
])("rejects %j as an address", (text) => expect(parseAddress(text, "ipv4")).toBeUndefined());

it.each(["10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0/8", "/8", "fd00::/8", "::ffff:10.0.0.0/104"])(
  "rejects %j as a subnet",
  (text) => expect(parseSubnet(text, "ipv4")).toBeUndefined(),
);

it("drops the bits behind the prefix", () =>
  expect(parseSubnet("172.29.3.4/16", "ipv4")).toEqual(parseSubnet("172.29.0.0/16", "ipv4")));

it("hands out free addresses in turn, wraps around, and fails only if none is free", () => {
  const small = fc.tuple(fc.ipV4(), fc.integer({ min: 27, max: 32 })).map((parts) => {
    const range = parseSubnet(parts.join("/"), "ipv4");
    if (range === undefined) throw new Error(`${parts.join("/")} is not a subnet`);
    return range;
  });
  fc.assert(
    fc.property(small, fc.array(fc.nat(31)), fc.option(fc.nat(31), { nil: undefined }), (range, offsets, last) => {
      const taken = new Set(offsets.map((offset) => range.start + BigInt(offset)));
      const from = last === undefined ? undefined : range.start + BigInt(last);
      const found = nextFree(range, from, (one) => !taken.has(one));
      const size = Number(range.end - range.start) + 1;
      const all = Array.from({ length: size }, (_, index) => range.start + BigInt(index));
      const free = all.filter((one) => !taken.has(one));
      const inRange = from !== undefined && cidrContains(range, from);
      expect(found).toBe(inRange ? (free.find((one) => one > from) ?? free[0]) : free[0]);
    }),
  );
});
