import { hasIPv6 } from "../forwarding.ts";
import type { Element } from "./element.ts";
import { type Nft, openNft } from "./nft.ts";

/** The packet filter of this host. Where its kernel has no IPv6, what is for that family alone is left out. */
export async function openHostNft(): Promise<Nft> {
  const nft = openNft();
  if (await hasIPv6()) return nft;
  return {
    apply: (commands) => nft.apply(commands.filter((command) => !/^\w+ \w+ ip6 /.test(command))),
    change: (table, sets, { add, delete: gone }) =>
      nft.change(table, sets, { add: add.filter(isNotIPv6), delete: gone.filter(isNotIPv6) }),
  };
}

function isNotIPv6({ family }: Element): boolean {
  return family !== "ip6";
}
