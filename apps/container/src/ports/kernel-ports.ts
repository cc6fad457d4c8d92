import { readFile } from "node:fs/promises";
import { DEFAULT_PORT_POLICY, NO_PORTS, type PortSet, parsePortSet } from "@berth/port-spec";
import { hasIPv6 } from "./held-port.ts";

/** The port settings of the kernel. */
export interface KernelPorts {
  /** The dynamic range: `ip_local_port_range`. */
  readonly dynamic: PortSet;
  /** `ip_local_reserved_ports`: never picked, but may be requested. */
  readonly reserved: PortSet;
  /** The meaning of an empty HostIp: the wildcard address of each family that the host has. */
  readonly anyAddress: readonly string[];
}

/** Reads the kernel's settings, with Linux's default for a missing or empty file. */
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
