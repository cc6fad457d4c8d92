import { isHostOnly } from "../../engine/host-addresses.ts";

/** Whether a URL literally names an address of this host alone, in any spelling that clients understand. */
export function isHostOnlyUrl(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : "";
  return host === "localhost" || host.endsWith(".localhost") || isHostOnly(host);
}
