import { expect, it } from "vitest";
import { ENDPOINT_SYSCTLS, interfaceSysctls } from "./endpoint-sysctls.ts";

it("gives each interface the sysctls of its endpoint", () => {
  const option = "net.ipv4.conf.IFNAME.log_martians=1,net.ipv4.conf.ifname.arp_filter=0";
  expect(
    interfaceSysctls([
      { interfaceName: "eth0", request: {} },
      { interfaceName: "eth1", request: { DriverOpts: { [ENDPOINT_SYSCTLS]: option } } },
    ]),
  ).toEqual({ "net.ipv4.conf.eth1.log_martians": "1", "net.ipv4.conf.eth1.arp_filter": "0" });
});
