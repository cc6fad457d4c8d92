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

const rule = z.object({ expr: z.array(z.unknown()).default([]) });

/** The rules and chains of the host, from the output of `nft -j -t list ruleset`: one command sees all of them at one moment. */
export interface HostRules {
  /** The base chains at the hooks that matter, of every table but the instance's own. */
  readonly chains: readonly BaseChain[];
  /** Those of them that refuse what nothing before has accepted, by their policy or by their last rule. */
  readonly refusing: readonly RefusingChain[];
}

/** A ruleset has thousands of entries on a host with other firewalls: only those are checked that matter. */
export function hostRules(json: string, instance: string): HostRules {
  const { nftables } = z.object({ nftables: z.array(z.unknown()) }).parse(JSON.parse(json));
  const entries = nftables as readonly { readonly chain?: { readonly hook?: unknown }; readonly rule?: Placed }[];
  const chains = entries
    .flatMap(({ chain }) => (chain?.hook === undefined ? [] : (baseChain.safeParse(chain).data ?? [])))
    .filter(({ table }) => table !== instance);
  const lastRules = new Map<string, Placed>();
  for (const { rule } of entries)
    if (rule !== undefined) lastRules.set(placeOf(rule.family, rule.table, rule.chain), rule);
  const refusing = chains
    .filter(({ family, table, name, policy }) => {
      const last = rule.safeParse(lastRules.get(placeOf(family, table, name)));
      return policy === "drop" || refusesAll(last.data?.expr ?? []);
    })
    .map(({ policy: _, ...chain }) => chain);
  return { chains, refusing };
}

/** Where a rule is. */
type Placed = Readonly<Record<"family" | "table" | "chain", unknown>>;

function placeOf(...names: readonly unknown[]): string {
  return names.join(" ");
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
