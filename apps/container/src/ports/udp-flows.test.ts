import { expect, it } from "vitest";
import { readFlows } from "./udp-flows.ts";

it("reads the first packet's ends of each exchange", () => {
  const listed = [
    "udp      17 29 src=10.203.0.2 dst=10.203.0.1 sport=40777 dport=31000 [UNREPLIED] src=172.18.0.2 dst=10.203.0.2 sport=53 dport=40777 mark=0 use=1",
    "udp      17 7 src=::1 dst=::1 sport=1 dport=2 src=::1 dst=::1 sport=2 dport=1 [ASSURED] mark=0 use=1",
    "conntrack v1.4.7 (conntrack-tools): 2 flow entries have been shown.",
    "",
  ].join("\n");
  expect(readFlows(listed)).toEqual([
    { source: "10.203.0.2", destination: "10.203.0.1", sourcePort: "40777", destinationPort: "31000" },
    { source: "::1", destination: "::1", sourcePort: "1", destinationPort: "2" },
  ]);
});
