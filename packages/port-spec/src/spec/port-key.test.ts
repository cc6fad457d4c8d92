import { describe, expect, test } from "vitest";
import { formatPortKey, parsePortKey, portOfKey } from "./port-key.ts";

describe("parsePortKey", () => {
  test.each([
    ["80/tcp", "80/tcp"],
    ["80", "80/tcp"],
    ["80/", "80/tcp"],
    ["080/TCP", "80/tcp"],
    ["65535/Udp", "65535/udp"],
    ["1/sctp", "1/sctp"],
  ])("parses %s as %s", (text, canonical) => {
    const port = parsePortKey(text);
    expect(port.ok && formatPortKey(port.value)).toBe(canonical);
    expect(port.ok && portOfKey(formatPortKey(port.value))).toEqual(port.ok && port.value);
  });

  const number = "a container port from 1 to 65535 and its protocol, such as 80/tcp";
  test.each([
    ["", "no-container-port", 0, number, 'invalid port specification: ""'],
    ["/tcp", "no-container-port", 0, number, 'invalid port specification: ""'],
    ["0/tcp", "bad-container-port", 0, number, 'invalid port specification: "0"'],
    ["abc/tcp", "bad-port-key", 0, number, 'invalid port specification: "abc"'],
    ["65536/tcp", "bad-port-key", 0, number, 'invalid port specification: "65536"'],
    ["80-82/tcp", "bad-port-key", 0, number, 'invalid port specification: "80-82"'],
    ["80-80", "bad-port-key", 0, number, 'invalid port specification: "80-80"'],
    ['8"/icmp', "bad-port-key", 0, number, 'invalid port specification: "8\\""'],
    ["80/icmp", "bad-protocol", 3, "tcp, udp or sctp", "invalid proto: icmp"],
    ["80/tcp/udp", "bad-protocol", 3, "tcp, udp or sctp", "invalid proto: tcp/udp"],
  ])("rejects %j as %s", (input, code, position, expected, message) => {
    expect(parsePortKey(input)).toEqual({ ok: false, error: { code, input, position, path: "", expected, message } });
  });
});
