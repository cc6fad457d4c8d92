import { cidrContains, formatIp, ipFamily, parseCidr, parseIp } from "@berth/port-spec";

export interface RegistryConfig {
  /** Mirrors of docker.io, which are tried first: base URLs such as `https://mirror.example.com`. */
  readonly mirrors: readonly string[];
  /** `host`, `host:port` or CIDR block of registries that need neither HTTPS nor a valid certificate; loopback always is one. */
  readonly insecure: readonly string[];
  /** Proxy URLs for registries that are not insecure; `no` is a comma-separated list of hosts. */
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly no?: string };
}

/** One base URL of a repository. */
export interface Endpoint {
  /** Without a trailing slash. */
  readonly url: string;
  readonly mirror: boolean;
  /** Skip certificate verification. */
  readonly insecure: boolean;
  /** Configured in the settings: the administrator vouches for its address, and for nothing that it points to. */
  readonly listed: boolean;
}

const HUB_DOMAIN = "docker.io";
const HUB_URL = "https://registry-1.docker.io";

/**
 * The endpoints of a domain, in order, by Docker's rules: mirrors only serve docker.io, and an insecure registry is tried over HTTPS
 * first.
 */
export function endpointsOf(domain: string, config: RegistryConfig, use: "pull" | "push"): readonly Endpoint[] {
  if (domain === HUB_DOMAIN) {
    const mirrors = config.mirrors.map((url) => {
      const { host, protocol } = new URL(url);
      return {
        url: url.replace(/\/+$/, ""),
        mirror: true,
        insecure: protocol === "http:" || isInsecure(host, config.insecure),
        listed: true,
      };
    });
    return [...(use === "pull" ? mirrors : []), { url: HUB_URL, mirror: false, insecure: false, listed: false }];
  }
  if (!isInsecure(domain, config.insecure))
    return [{ url: `https://${domain}`, mirror: false, insecure: false, listed: false }];
  const listed = isIn(domain, config.insecure);
  return ["https", "http"].map((scheme) => ({ url: `${scheme}://${domain}`, mirror: false, insecure: true, listed }));
}

/** Whether the settings list this `host` or `host:port`. */
export function isListed(host: string, { insecure }: Pick<RegistryConfig, "insecure">): boolean {
  return isIn(host, insecure);
}

function isInsecure(domain: string, configured: readonly string[]): boolean {
  return isIn(domain, ["localhost", "127.0.0.0/8", "::1/128", ...configured]);
}

function isIn(domain: string, configured: readonly string[]): boolean {
  const host = domain.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  if (configured.includes(domain) || configured.includes(host)) return true;
  const address = parseIp(host);
  if (address === undefined) return false;
  const family = ipFamily(formatIp(address));
  const blocks = configured.flatMap((text) => parseCidr(text) ?? []);
  return blocks.some((block) => block.family === family && cidrContains(block, address));
}
