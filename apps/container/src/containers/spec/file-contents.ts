import { resolvConfWords } from "../../engine/resolv-conf.ts";
import type { Endpoint } from "../../networks/networks.ts";
import type { Container } from "../records/container.ts";
import type { HostFiles } from "../records/files.ts";

/** `/etc/hosts` as Docker writes it: loopback, extra hosts and links, then the container's own addresses. */
export function hostsFile(
  { config, hostConfig }: Container,
  endpoints: readonly Endpoint[],
  gateway: string,
  links: readonly string[] = [],
): string {
  const name = config.Domainname ? `${config.Hostname}.${config.Domainname} ${config.Hostname}` : config.Hostname;
  const extra = (hostConfig.ExtraHosts ?? []).map((entry) => {
    const [, host = "", address = ""] = /^([^:=]+)[:=](.*)$/.exec(entry) ?? [];
    return `${address === "host-gateway" ? gateway : address}\t${host}`;
  });
  return `${[
    "127.0.0.1\tlocalhost",
    "::1\tlocalhost ip6-localhost ip6-loopback",
    "fe00::\tip6-localnet",
    "ff00::\tip6-mcastprefix",
    "ff02::1\tip6-allnodes",
    "ff02::2\tip6-allrouters",
    ...extra,
    ...links,
    ...endpoints
      .flatMap(({ address, ipv6 }) => [address, ipv6.address])
      .filter((address) => address !== "")
      .map((address) => `${address}\t${name}`),
  ].join("\n")}\n`;
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}

/**
 * `/etc/resolv.conf` from the request's settings, or else the host's. On the host's network that is the host's own. In a sandbox,
 * resolvers on the host's loopback are dropped, because it cannot reach them, and `nameserver` is the network's forwarding name
 * service; undefined if it has none.
 */
export function resolvConfFile(
  { hostConfig }: { readonly hostConfig: Pick<Container["hostConfig"], "Dns" | "DnsOptions" | "DnsSearch"> },
  host: Pick<HostFiles, "resolvConf" | "sandboxResolvConf">,
  network: "host" | { readonly nameserver: string | undefined },
): string {
  const own = network === "host";
  const text = own ? host.resolvConf : host.sandboxResolvConf;
  const words = (keyword: string) => resolvConfWords(text, keyword);
  const servers =
    hostConfig.Dns.length > 0 ? hostConfig.Dns : words("nameserver").filter((address) => own || !isLoopback(address));
  const search =
    hostConfig.DnsSearch.length > 0 ? hostConfig.DnsSearch.filter((domain) => domain !== ".") : words("search");
  const asked = hostConfig.DnsOptions.length > 0 ? hostConfig.DnsOptions : words("options");
  const nameserver = own ? undefined : network.nameserver;
  // Names of the network's own come first, as they are.
  const namesOwn = nameserver !== undefined && !asked.some((option) => option.startsWith("ndots:"));
  const options = namesOwn ? [...asked, "ndots:0"] : asked;
  return [
    ...(nameserver === undefined ? servers : [nameserver]).map((address) => `nameserver ${address}\n`),
    ...(search.length > 0 ? [`search ${search.join(" ")}\n`] : []),
    ...(options.length > 0 ? [`options ${options.join(" ")}\n`] : []),
  ].join("");
}

/**
 * Applies the difference between `before` and `after` to the current text of a generated file. Keeps all other lines, since the
 * container's processes write to the file, too.
 */
export function moveLines(text: string, before: string, after: string): string {
  const lines = (file: string) => file.split("\n").filter((line) => line !== "");
  const [old, fresh] = [new Set(lines(before)), new Set(lines(after))];
  const kept = text.split("\n").filter((line) => !old.has(line) || fresh.has(line));
  const added = [...fresh].filter((line) => !old.has(line) && !kept.includes(line));
  return [...(kept.at(-1) === "" ? kept.slice(0, -1) : kept), ...added, ""].join("\n");
}
