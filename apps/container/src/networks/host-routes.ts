import { type Cidr, ipFamily, isIp, parseCidr } from "@berth/port-spec";
import { hostResolvers } from "../host/resolv-conf.ts";
import { runCommand } from "./command.ts";

/** The host's routes of both families without the default routes, and its resolvers. Ignores the links in `except`. */
export async function hostRoutes(except: readonly string[]): Promise<readonly Cidr[]> {
  const routes = [...(await listRoutes("-4")), ...(await listRoutes("-6"))];
  const destinations = routes.flatMap(({ dst, dev }) =>
    dst === undefined || dst === "default" || (dev !== undefined && except.includes(dev)) ? [] : [dst],
  );
  return [...destinations, ...(await hostResolvers())]
    .map((text) => parseCidr(isIp(text) ? `${text}/${ipFamily(text) === "ipv6" ? 128 : 32}` : text))
    .filter((subnet) => subnet !== undefined);
}

async function listRoutes(family: "-4" | "-6") {
  return JSON.parse((await runCommand("ip", ["-j", family, "route", "show"])) || "[]") as readonly {
    readonly dst?: string;
    readonly dev?: string;
  }[];
}
