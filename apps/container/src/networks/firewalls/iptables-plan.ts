import type { FamilyBridges } from "./bridges.ts";

/** One table `filter` of iptables, as `iptables -S` prints it. */
export interface IptablesPlan {
  /** The built-in chains that refuse packets of the bridges and have no place for rules of others. */
  readonly refused: readonly Builtin[];
  /** For `iptables-restore --noflush`; empty where everything is as it should be. */
  readonly commands: readonly string[];
}

/**
 * The chains that firewalls leave to others, best first. Docker never writes to DOCKER-USER
 * (https://docs.docker.com/engine/network/packet-filtering-firewalls/); ufw rebuilds its own at a reload (ufw-framework(8)). Rules of the
 * administrator in these chains are asked before ours.
 */
const PLACES = {
  FORWARD: ["ufw-user-forward", "ufw6-user-forward", "DOCKER-USER"],
  INPUT: ["ufw-user-input", "ufw6-user-input"],
} as const;

export type Builtin = keyof typeof PLACES;

/** The names of the chains that hold the accepts of an instance. */
export function chainNames(instance: string): Readonly<Record<Builtin, string>> {
  const prefix = instance.toUpperCase();
  return { FORWARD: `${prefix}-FORWARD`, INPUT: `${prefix}-INPUT` };
}

/** What is to be changed so that packets of the bridges pass; never a rule or a policy of others. */
export function planIptables(listing: string, instance: string, bridges: FamilyBridges): IptablesPlan {
  const rules = listing.split("\n");
  const refused: Builtin[] = [];
  const commands: string[] = [];
  for (const builtin of ["FORWARD", "INPUT"] as const) {
    const accepts = acceptsFor(builtin, bridges);
    const isOpen = !refuses(rules, builtin) || accepts.every((accept) => rules.includes(`-A ${builtin} ${accept}`));
    if (isOpen) continue;
    const place = PLACES[builtin].find(
      (name) => rules.includes(`-N ${name}`) && rules.some((rule) => rule.endsWith(` -j ${name}`)),
    );
    if (place === undefined) refused.push(builtin);
    else commands.push(...admission(rules, place, chainNames(instance)[builtin], accepts));
  }
  return { refused, commands: transaction(commands) };
}

/** The rules, without the chain they are in, that let the packets of the bridges pass. */
export function acceptsFor(builtin: Builtin, { all, named }: FamilyBridges): readonly string[] {
  return builtin === "FORWARD"
    ? all.flatMap((bridge) => [`-i ${bridge} -j ACCEPT`, `-o ${bridge} -j ACCEPT`])
    : // Berth's own table redirects the questions to a network's name service, and nothing else of the host is opened.
      named.map((bridge) => `-i ${bridge} -m conntrack --ctstate DNAT -j ACCEPT`);
}

/** Takes away all that {@link planIptables} added. */
export function planRemoval(listing: string, instance: string): readonly string[] {
  const rules = listing.split("\n");
  const commands = Object.values(chainNames(instance))
    .filter((chain) => rules.includes(`-N ${chain}`))
    .flatMap((chain) => [
      ...rules
        .filter((rule) => rule.startsWith("-A ") && rule.endsWith(` -j ${chain}`))
        .map((rule) => `-D${rule.slice(2)}`),
      `-F ${chain}`,
      `-X ${chain}`,
    ]);
  return transaction(commands);
}

function admission(rules: readonly string[], place: string, chain: string, accepts: readonly string[]) {
  const wanted = accepts.map((accept) => `-A ${chain} ${accept}`);
  const isFilled = rules.includes(`-N ${chain}`) && rulesOf(rules, chain).join("\n") === wanted.join("\n");
  const jump = `${place} -j ${chain}`;
  const present = rulesOf(rules, place);
  // Last, but before the RETURN that Docker ends its chain with.
  const end = present.at(-1) === `-A ${place} -j RETURN` ? present.length - 1 : present.length;
  const others = present.filter((rule) => rule !== `-A ${jump}`);
  const isJumpedTo = present.length - others.length === 1 && present[end - 1] === `-A ${jump}`;
  const insertion = end === present.length ? `-A ${jump}` : `-I ${place} ${others.length} -j ${chain}`;
  return [
    // With --noflush this makes the chain, or empties it.
    ...(isFilled ? [] : [`:${chain} - [0:0]`, ...wanted]),
    ...(isJumpedTo ? [] : [...present.filter((rule) => !others.includes(rule)).map(() => `-D ${jump}`), insertion]),
  ];
}

function transaction(commands: readonly string[]): readonly string[] {
  return commands.length === 0 ? [] : ["*filter", ...commands, "COMMIT"];
}

function rulesOf(rules: readonly string[], chain: string): readonly string[] {
  return rules.filter((rule) => rule.startsWith(`-A ${chain} `));
}

function refuses(rules: readonly string[], builtin: Builtin): boolean {
  const last = rulesOf(rules, builtin).at(-1) ?? "";
  return rules.includes(`-P ${builtin} DROP`) || /^-A \S+ -j (DROP|REJECT)\b/.test(last);
}
