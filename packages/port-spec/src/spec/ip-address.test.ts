import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalIp, formatEndpoint, ipFamily } from "./ip-address.ts";
import { runs } from "./port-spec.testing.ts";

describe("canonicalIp", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "0.0.0.0"],
    ["255.255.255.255", "255.255.255.255"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["::A", "::a"],
    ["::F", "::f"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["2001:DB8::00aB", "2001:db8::ab"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["1:0:0:2:3:0:0:4", "1::2:3:0:0:4"],
    ["1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::ffff:7f00:1", "127.0.0.1"],
    ["0:0:0:0:0:ffff:255.0.1.2", "255.0.1.2"],
    ["::fffe:127.0.0.1", "::fffe:7f00:1"],
    ["1::ffff:127.0.0.1", "1::ffff:7f00:1"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
    ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"],
  ])("formats %s as %s", (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
  });

  test.each([
    "",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.",
    ".1.2.3",
    "1..2.3",
    "1.2.3.256",
    "1.2.3.04",
    "1.2.3.00",
    "1.2.3.4 ",
    "1.2.3./",
    "1.2.3.:",
    "1.2.3.a",
    ":",
    ":::",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "::1::",
    ":1::2",
    "1:::2",
    "1x2:3::",
    "1::2:",
    "1:2:3:4:5:6:7:8:",
    "12345::",
    "g::",
    "::g",
    "1.2.3.4::",
    "1.2.3.4:1::",
    "::1.2.3.4:1",
    "1:2:3:4:5:6:7:1.2.3.4",
    "::1%eth0",
    "::\u0011",
    "::@",
    "::`",
    "::G",
    "::/",
    "[::1]",
    "localhost",
  ])("rejects %j", (text) => {
    expect(canonicalIp(text)).toBeUndefined();
  });

  test("accepts what Node's parser accepts, except zone ids, and formats IPv6 as URLs do", () => {
    const near = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,24}$/));
    fc.assert(
      fc.property(near, (text) => {
        const canonical = canonicalIp(text);
        expect(canonical !== undefined).toBe(isIP(text) !== 0);
        if (canonical !== undefined && isIP(canonical) === 6) {
          expect(`[${canonical}]`).toBe(new URL(`http://[${text}]`).hostname);
          expect(canonicalIp(canonical)).toBe(canonical);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });
});

test("ipFamily and formatEndpoint distinguish the families", () => {
  expect([ipFamily("127.0.0.1"), ipFamily("::")]).toEqual(["ipv4", "ipv6"]);
  expect([formatEndpoint("127.0.0.1", 80), formatEndpoint("::1", "80-81")]).toEqual(["127.0.0.1:80", "[::1]:80-81"]);
});
