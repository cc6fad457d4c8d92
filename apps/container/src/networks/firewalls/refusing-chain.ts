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

export type BaseChain = z.infer<typeof baseChain>;

const ruleset = z.object({ nftables: z.array(z.record(z.string(), z.unknown())) });

/** The base chains at the hooks that matter, of every table but `table`, from the output of `nft -j list chains`. */
export function foreignChains(json: string, table: string): readonly BaseChain[] {
  return ruleset
    .parse(JSON.parse(json))
    .nftables.flatMap(({ chain }) => baseChain.safeParse(chain).data ?? [])
    .filter((chain) => chain.table !== table);
}

/** Statements of a rule that matches every packet and refuses it; `xt` is how nft shows a target of iptables. */
const refusal = z.union([
  z.object({ drop: z.unknown() }).strict(),
  z.object({ reject: z.unknown() }).strict(),
  z.object({ xt: z.object({ type: z.literal("target"), name: z.literal("REJECT") }) }).strict(),
]);
const remark = z.union([z.object({ counter: z.unknown() }).strict(), z.object({ log: z.unknown() }).strict()]);

/** Whether a chain's last rule refuses whatever comes to it, from the output of `nft -j list chain`. */
export function endsInRefusal(json: string): boolean {
  const { nftables } = ruleset.parse(JSON.parse(json));
  const last = nftables.flatMap(({ rule }) => (rule === undefined ? [] : [rule])).at(-1);
  const { expr } = z.object({ expr: z.array(z.unknown()).default([]) }).parse(last ?? {});
  return (
    refusal.safeParse(expr.at(-1)).success &&
    expr.slice(0, -1).every((statement) => remark.safeParse(statement).success)
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
