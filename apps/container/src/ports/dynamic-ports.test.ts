import { ALL_PORTS, formatPortSet, NO_PORTS, type PortRange, portSet } from "@berth/port-spec";
import { describe, expect, it } from "vitest";
import { dynamicPorts } from "./dynamic-ports.ts";

const automatic = portSet({ start: 32_768, end: 60_999 });
function range(start: number, end: number): PortRange {
  return { start, end };
}

describe("dynamicPorts", () => {
  it.each([
    ["nothing said", undefined, "32768-60999"],
    ["everything permitted", { tcp: ALL_PORTS, udp: ALL_PORTS, sctp: ALL_PORTS }, "32768-60999"],
    [
      "a part of the host's range",
      { tcp: portSet(range(40_000, 41_000)), udp: ALL_PORTS, sctp: ALL_PORTS },
      "32768-60999",
    ],
    [
      "none of the host's range",
      { tcp: portSet(range(8000, 8099)), udp: ALL_PORTS, sctp: ALL_PORTS },
      "8000-8099,32768-60999",
    ],
    ["nothing", { tcp: NO_PORTS, udp: NO_PORTS, sctp: NO_PORTS }, "32768-60999"],
  ] as const)("%s", (_, permitted, expected) => {
    expect(formatPortSet(dynamicPorts(automatic, permitted)).replaceAll(" ", "")).toBe(expected);
  });
});
