import { readFile } from "node:fs/promises";
import type { Cidr } from "@berth/port-spec";
import { runCommand } from "./command.ts";
import { parseIpv4, parseSubnet } from "./ipv4.ts";

/** The host's IPv4 routes without the default route, and its resolvers. Ignores the links in `except`. */
export async function hostRoutes(except: readonly string[]): Promise<readonly Cidr[]> {
  const routes = JSON.parse((await runCommand("ip", ["-j", "-4", "route", "show"])) || "[]") as readonly {
    readonly dst?: string;
    readonly dev?: string;
  }[];
  const destinations = routes
    .filter(({ dst, dev }) => dst !== undefined && dst !== "default" && !(dev !== undefined && except.includes(dev)))
    .map(({ dst = "" }) => (dst.includes("/") ? dst : `${dst}/32`));
  const resolvers = (await hostResolvers()).filter((address) => parseIpv4(address) !== undefined);
  return [...destinations, ...resolvers.map((address) => `${address}/32`)]
    .map(parseSubnet)
    .filter((subnet) => subnet !== undefined);
}

/** The host's name servers. */
export async function hostResolvers(): Promise<readonly string[]> {
  return (await readFile("/etc/resolv.conf", "utf8").catch(() => ""))
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([keyword, address]) => keyword === "nameserver" && address !== undefined)
    .map(([, address = ""]) => address);
}
