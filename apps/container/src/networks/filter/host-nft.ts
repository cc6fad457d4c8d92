import { hasIPv6 } from "../forwarding.ts";
import { type Nft, openNft } from "./nft.ts";

/** The packet filter of this host. Where its kernel has no IPv6, what is for that family alone is left out. */
export async function openHostNft(): Promise<Nft> {
  const nft = openNft();
  if (await hasIPv6()) return nft;
  return {
    apply: (commands) => nft.apply(commands.filter((command) => !/^\w+ \w+ ip6 /.test(command))),
    close: () => nft.close(),
  };
}
