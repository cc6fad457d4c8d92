import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cidr, cidrContains, cidrOverlaps, formatCidr, formatIp, parseCidr, parseIp } from "./cidr.ts";
import { canonicalIp } from "./ip-address.ts";

const ADDRESS = fc.oneof(fc.ipV4(), fc.ipV6());

/** Parses a block that is known to be valid. */
function block(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new Error(`${text} is not a block`);
  return parsed;
}

describe("parseIp", () => {
  test.each([
    ["0.0.0.0", 0xffff_0000_0000n],
    ["10.0.0.5", 0xffff_0a00_0005n],
    ["::ffff:10.0.0.5", 0xffff_0a00_0005n],
    ["::", 0n],
    ["::1", 1n],
    ["fd00::", 0xfd00n << 112n],
    ["ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", (1n << 128n) - 1n],
  ])("%s is %d", (text, value) => {
    expect(parseIp(text)).toBe(value);
    expect(formatIp(value)).toBe(canonicalIp(text));
  });

  test.each(["", "10.0.0", "010.0.0.1", "fe80::1%eth0", "localhost", "10.0.0.0/8"])("rejects %j", (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  test("formatIp is its inverse, in the canonical spelling", () => {
    fc.assert(
      fc.property(ADDRESS, (text) => {
        expect(formatIp(parseIp(text) ?? -1n)).toBe(canonicalIp(text));
      }),
    );
  });
});

describe("parseCidr", () => {
  test.each([
    ["172.29.1.2/16", "ipv4", "172.29.0.0/16", "172.29.255.255"],
    ["10.0.0.1/32", "ipv4", "10.0.0.1/32", "10.0.0.1"],
    ["10.0.0.1/0", "ipv4", "0.0.0.0/0", "255.255.255.255"],
    ["fd00:1::1/8", "ipv6", "fd00::/8", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["::1/128", "ipv6", "::1/128", "::1"],
    ["::/0", "ipv6", "::/0", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["::ffff:10.1.2.3/104", "ipv4", "10.0.0.0/8", "10.255.255.255"],
    ["::ffff:10.1.2.3/95", "ipv6", "::fffe:0:0/95", "255.255.255.255"],
  ])("%s is an %s block", (text, family, canonical, last) => {
    const parsed = block(text);
    expect(parsed.family).toBe(family);
    expect(formatCidr(parsed)).toBe(canonical);
    expect(formatIp(parsed.end)).toBe(last);
  });

  test.each([
    "",
    "10.0.0.0",
    "10.0.0.0/",
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/08",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "x/8",
  ])("rejects %j", (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });

  test("formatCidr is its inverse", () => {
    fc.assert(
      fc.property(ADDRESS, fc.nat(128), (address, length) => {
        const parsed = block(`${address}/${address.includes(":") ? length : length % 33}`);
        expect(parseCidr(formatCidr(parsed))).toEqual(parsed);
      }),
    );
  });
});

test("cidrContains agrees with Node's BlockList within a family", () => {
  const near = fc.constantFrom("10.0.0.0", "10.0.0.255", "10.0.1.0", "10.128.0.0", "11.0.0.0");
  fc.assert(
    fc.property(near, fc.nat(32), fc.oneof(near, fc.ipV4()), (address, length, probe) => {
      const list = new BlockList();
      list.addSubnet(address, length, "ipv4");
      expect(cidrContains(block(`${address}/${length}`), parseIp(probe) ?? -1n)).toBe(list.check(probe, "ipv4"));
    }),
  );
});

test("blocks overlap exactly if one contains the start of the other", () => {
  const text = fc.tuple(fc.constantFrom("10.0.0.0", "10.0.0.255", "10.128.0.0", "::", "::1"), fc.nat(32));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [a, b] = [block(one.join("/")), block(other.join("/"))];
      expect(cidrOverlaps(a, b)).toBe(cidrContains(a, b.start) || cidrContains(b, a.start));
    }),
  );
});
