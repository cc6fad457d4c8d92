import { z } from "zod";
import type { FamilyBridges } from "./bridges.ts";

/** A chain of another program that refuses every packet which nothing before has accepted. */
export interface RefusingChain {
  readonly family: "ip" | "ip6" | "inet";
  readonly table: string;
  readonly name: string;
  /** `forward`: packets that the host passes on. `input`: packets to the host, such as questions to a network's name service. */
  readonly hook: "forward" | "input";
}

const baseChain = z.object({
  family: z.enum(["ip", "ip6", "inet"]),
  table: z.string(),
  name: z.string(),
  hook: z.enum(["forward", "input"]),
  policy: z.enum(["accept", "drop"]),
});

type BaseChain = z.infer<typeof baseChain>;

const rule = z.object({
  family: z.string(),
  table: z.string(),
  chain: z.string(),
  expr: z.array(z.unknown()).default([]),
});

/** The rules and chains of the host, from the output of `nft -j -t list ruleset`: one command sees all of them at one moment. */
export interface HostRules {
  /** The base chains at the hooks that matter, of every table but the instance's own. */
  readonly chains: readonly BaseChain[];
  /** Those of them that refuse what nothing before has accepted, by their policy or by their last rule. */
  readonly refusing: readonly RefusingChain[];
}

export function hostRules(json: string, instance: string): HostRules {
  const { nftables } = z
    .object({ nftables: z.array(z.object({ chain: z.unknown(), rule: z.unknown() }).partial()) })
    .parse(JSON.parse(json));
  const chains = nftables
    .flatMap(({ chain }) => baseChain.safeParse(chain).data ?? [])
    .filter(({ table }) => table !== instance);
  const lastRules = new Map<string, z.infer<typeof rule>>();
  for (const entry of nftables) {
    const { data } = entry.rule === undefined ? {} : rule.safeParse(entry.rule);
    if (data !== undefined) lastRules.set([data.family, data.table, data.chain].join(" "), data);
  }
  const refusing = chains
    .filter(
      ({ family, table, name, policy }) =>
        policy === "drop" || refusesAll(lastRules.get([family, table, name].join(" "))?.expr ?? []),
    )
    .map(({ policy: _, ...chain }) => chain);
  return { chains, refusing };
}

/** Statements of a rule that matches every packet and refuses it; `xt` is how nft shows a target of iptables. */
const refusal = z.union([
  z.object({ drop: z.unknown() }).strict(),
  z.object({ reject: z.unknown() }).strict(),
  z.object({ xt: z.object({ type: z.literal("target"), name: z.literal("REJECT") }) }).strict(),
]);
const remark = z.union([z.object({ counter: z.unknown() }).strict(), z.object({ log: z.unknown() }).strict()]);

function refusesAll(statements: readonly unknown[]): boolean {
  return (
    refusal.safeParse(statements.at(-1)).success &&
    statements.slice(0, -1).every((statement) => remark.safeParse(statement).success)
  );
}

/** Whether the chain has accepts for all packets of these bridges, from the output of `nft list chain`. */
export function acceptsBridges(text: string, { hook }: RefusingChain, { all, named }: FamilyBridges): boolean {
  const accepts = text.split("\n").filter((rule) => /\baccept$/.test(rule.replace(/ comment ".*"$/, "").trim()));
  const has = (key: string, bridge: string) =>
    accepts.some((rule) => rule.includes(key) && rule.includes(`"${bridge}"`));
  return hook === "forward"
    ? all.every((bridge) => has("iifname", bridge) && has("oifname", bridge))
    : named.every((bridge) => has("iifname", bridge));
}
