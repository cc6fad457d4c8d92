import {
  type EffectiveConstraints,
  effectiveQuota,
  RESOURCES,
  type Resource,
  type UserId,
} from "@berth/directory-domain";
import type { HostRecord, ReportedPort, Used } from "./host-records.ts";
import type { Actor } from "./records.ts";
import type { Stores } from "./stores.ts";

/** Finds what holds for a user. */
type EffectiveOf = (userId: number) => Promise<{ readonly effective: EffectiveConstraints }>;

/**
 * The hosts as the actor may see them: to a user only what is its own, and what is reserved for it or its groups. Everybody may know that a
 * program has a port; which one, administrators alone.
 */
export async function hostsFor(
  deps: { readonly records: Pick<Stores, "hosts">; readonly effectiveOf: EffectiveOf },
  actor: Actor,
): Promise<readonly HostRecord[]> {
  const all = await deps.records.hosts.all();
  if (actor.role === "admin") return all;
  const hosts = all.map(withoutPrograms);
  if (actor.role !== "user") return hosts;
  const groups = new Set<number>((await deps.effectiveOf(actor.userId)).effective.groups.map(({ id }) => id));
  const concerns = ({ ownerId, reservedFor }: ReportedPort) =>
    ownerId === actor.userId ||
    (reservedFor !== null &&
      (reservedFor.type === "user" ? reservedFor.id === actor.userId : groups.has(reservedFor.id)));
  return hosts.map((host) => ({
    ...host,
    report: {
      ...host.report,
      containers: host.report.containers.filter(({ ownerId }) => ownerId === actor.userId),
      heldPorts: host.report.heldPorts.filter(concerns),
      refusedUsers: host.report.refusedUsers.filter(({ userId }) => userId === actor.userId),
      usage: host.report.usage.filter(({ ownerId }) => ownerId === actor.userId),
    },
  }));
}

function withoutPrograms(host: HostRecord): HostRecord {
  const processPorts = host.report.processPorts.map((port) => ({ ...port, pid: null, command: null }));
  return { ...host, report: { ...host.report, processPorts } };
}

/** The ids of all users that own something on the hosts, or were refused something there. */
export function usersOn(hosts: readonly HostRecord[]): readonly number[] {
  const owners = hosts.flatMap(({ report }) => [
    ...[...report.containers, ...report.heldPorts].map(({ ownerId }) => ownerId),
    ...report.refusedUsers.map(({ userId }) => userId),
  ]);
  return [...new Set(owners)].filter((id) => id !== null);
}

export interface Usage {
  readonly userId: UserId;
  readonly used: Used;
  readonly quotas: Used;
}

/** What each owner uses on all hosts together, with the quotas that bind it. Owners who are gone are left out. */
export async function usageOf(hosts: readonly HostRecord[], effectiveOf: EffectiveOf): Promise<readonly Usage[]> {
  const sums = new Map<number, Partial<Record<Resource, number>>>();
  for (const { ownerId, used } of hosts.flatMap(({ report }) => report.usage)) {
    const sum = sums.get(ownerId) ?? {};
    for (const resource of RESOURCES) {
      const more = used[resource];
      if (more !== undefined) sum[resource] = (sum[resource] ?? 0) + more;
    }
    sums.set(ownerId, sum);
  }
  const usage: Usage[] = [];
  for (const [ownerId, used] of sums) {
    const found = await effectiveOf(ownerId).catch(() => undefined);
    if (found !== undefined) usage.push({ userId: ownerId as UserId, used, quotas: quotasOf(found.effective) });
  }
  return usage;
}

/** The quotas that bind a user, without those that are unbounded; none for an administrator. */
function quotasOf(effective: EffectiveConstraints): Used {
  if (effective.subject.role === "admin") return {};
  const quotas = RESOURCES.map((resource) => [resource, effectiveQuota(effective, resource)] as const);
  return Object.fromEntries(quotas.filter(([, max]) => max !== Number.POSITIVE_INFINITY));
}
