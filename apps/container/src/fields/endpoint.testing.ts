import type { EndpointIPAMConfig, EndpointSettings } from "@docker/node-sdk";
import type { Seen } from "./probe.testing.ts";
import { does, output, type RowsOf } from "./row.testing.ts";

function endpoint({ sandbox }: Seen) {
  return sandbox?.endpoints.n;
}

/** The fields of an endpoint on a user network. What the network makes of them has its own tests. */
export const ENDPOINT_ROWS: RowsOf<EndpointSettings, "IPAMConfig"> = {
  Links: does(["donor:db"], (seen) => endpoint(seen)?.Links, ["donor:db"]),
  MacAddress: does("02:42:ac:11:00:09", (seen) => endpoint(seen)?.MacAddress, "02:42:ac:11:00:09"),
  Aliases: does(["api"], (seen) => endpoint(seen)?.Aliases, ["api"]),
  DriverOpts: does(
    { "com.docker.network.endpoint.sysctls": "net.ipv4.conf.IFNAME.log_martians=1" },
    ({ spec }) => Object.keys(spec.sysctls).includes("net.ipv4.conf.eth0.log_martians"),
    true,
  ),
  GwPriority: does(3, (seen) => endpoint(seen)?.GwPriority, 3),
  NetworkID: output("x"),
  EndpointID: output("x"),
  Gateway: output("10.0.0.1"),
  IPAddress: output("10.0.0.2"),
  IPPrefixLen: output(8),
  IPv6Gateway: output("fd00::1"),
  GlobalIPv6Address: output("fd00::2"),
  GlobalIPv6PrefixLen: output(64),
  DNSNames: output(["x"]),
};

export const IPAM_ROWS: RowsOf<EndpointIPAMConfig, "IPv6Address"> = {
  IPv4Address: does("10.77.0.9", (seen) => endpoint(seen)?.IPAMConfig?.IPv4Address, "10.77.0.9"),
  LinkLocalIPs: does(["169.254.9.9"], (seen) => endpoint(seen)?.IPAMConfig?.LinkLocalIPs, ["169.254.9.9"]),
};
