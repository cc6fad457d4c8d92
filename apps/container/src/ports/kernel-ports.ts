import { readFile } from "node:fs/promises";
import { DEFAULT_PORT_POLICY, NO_PORTS, type PortSet, parsePortSet } from "@berth/port-spec";
import { hasIPv6 } from "./held-port.ts";

/** What the host's kernel says of ports. */
export interface KernelPorts {
  /** Where dynamic ports come from: `ip_local_port_range`. */
  readonly dynamic: PortSet;
  /** `ip_local_reserved_ports`: never picked, free to be asked for. */
  readonly reserved: PortSet;
  /** What an empty HostIp stands for: the wildcards of the families that the host has. */
  readonly anyAddress: readonly string[];
}

/** Reads the kernel's settings; where a file is absent or says nothing, Linux's default. */
export async function readKernelPorts(): Promise<KernelPorts> {
  const read = (name: string) => readFile(`/proc/sys/net/ipv4/${name}`, "utf8").catch(() => "");
  const range = parsePortSet((await read("ip_local_port_range")).trim().replace(/\s+/, "-"));
  const reserved = parsePortSet((await read("ip_local_reserved_ports")).trim());
  return {
    dynamic: range.ok && range.value.ranges.length > 0 ? range.value : DEFAULT_PORT_POLICY.dynamic,
    reserved: reserved.ok ? reserved.value : NO_PORTS,
    anyAddress: (await hasIPv6()) ? ["0.0.0.0", "::"] : ["0.0.0.0"],
  };
}
