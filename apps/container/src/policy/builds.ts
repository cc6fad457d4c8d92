import { effectiveQuota } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import type { HostDefaults } from "../engine/host-defaults.ts";
import { assertAllowed, denied } from "./assert-allowed.ts";
import { containerFacts, type DecidedContainer, type DecidedHostConfig } from "./facts.ts";
import type { SharedQuotaUse } from "./shared-quotas.ts";

/** What a build asks for, in Docker's words; 0 for what it leaves open. */
export interface BuildWish {
  readonly networkMode: string;
  /** The networks of others that it joins, as constraints name them. */
  readonly networks: readonly string[];
  readonly memory: number;
  readonly cpuQuota: number;
  readonly cpuPeriod: number;
  readonly ulimits: NonNullable<DecidedHostConfig["Ulimits"]>;
}

/** The limits of a build as a whole, its steps included; undefined for none. */
export interface DecidedLimits {
  readonly memory: number | undefined;
  readonly cpus: number | undefined;
  readonly pids: number | undefined;
  /** What the build may take of the disk: bytes. */
  readonly storage: number;
}

/** Less is of no use to a build: what is left of a quota below this is asked for nevertheless, and refused with the numbers. */
const LEAST = { memory: 16 << 20, cpu: 0.05, pids: 16 } as const;

const PLAIN: DecidedHostConfig = {
  NetworkMode: "default",
  PidMode: "",
  IpcMode: "private",
  UTSMode: "",
  UsernsMode: "",
  CgroupnsMode: "private",
  CgroupParent: "",
  Privileged: false,
  CapAdd: null,
  Devices: null,
  DeviceCgroupRules: null,
  DeviceRequests: null,
  SecurityOpt: null,
  MaskedPaths: null,
  ReadonlyPaths: null,
  OomScoreAdj: 0,
  OomKillDisable: null,
  Runtime: "",
  Memory: 0,
  MemorySwap: 0,
  NanoCpus: 0,
  CpuQuota: 0,
  CpuPeriod: 0,
  CpuRealtimeRuntime: 0,
  PidsLimit: null,
};

/** A build in the terms of decisions: it counts as one container of its owner with these limits. */
export function decidedBuild(
  { networkMode, ulimits }: Pick<BuildWish, "networkMode" | "ulimits">,
  { memory = 0, cpus = 0, pids = 0 }: Partial<DecidedLimits>,
): DecidedContainer {
  const hostConfig = {
    ...PLAIN,
    NetworkMode: networkMode,
    Memory: memory,
    MemorySwap: memory,
    NanoCpus: Math.round(cpus * 1e9),
    PidsLimit: pids === 0 ? null : pids,
    Ulimits: ulimits,
  };
  return { hostConfig, endpoints: {}, ports: { wishes: [] } };
}

/**
 * Decides on a build as on a container, and gives it its limits: what it asks for, or all that is left of the owner's quota. Throws
 * `forbidden` with the whole explanation. Images are decided on one by one, as they are named.
 *
 * @param others the owner's containers, and its other builds that run.
 * @param shared what counts for each quota that the owner shares.
 * @param storage bytes that the owner has on the disk, its build cache included.
 */
export function assertBuildAllowed(
  actor: Actor,
  wish: BuildWish,
  {
    others,
    shared,
    storage,
    host,
  }: {
    readonly others: readonly DecidedContainer[];
    readonly shared: readonly SharedQuotaUse<DecidedContainer>[];
    readonly storage: number;
    readonly host: HostDefaults;
  },
): DecidedLimits {
  const asked = {
    memory: wish.memory || undefined,
    cpus: wish.cpuQuota > 0 ? wish.cpuQuota / (wish.cpuPeriod || 100_000) : undefined,
    pids: undefined,
    storage: Number.POSITIVE_INFINITY,
  };
  if (actor.kind !== "user") return asked;
  const facts = (limits: Partial<DecidedLimits>) =>
    containerFacts(decidedBuild(wish, limits), {
      hostFolders: [],
      networks: wish.networks,
      images: [],
      others,
      shared,
      storage,
      host,
    });
  const { used } = facts({});
  const left = (resource: keyof typeof LEAST): number | undefined => {
    const quota = effectiveQuota(actor.effective, resource);
    return Number.isFinite(quota) ? Math.max(LEAST[resource], quota - used[resource]) : undefined;
  };
  const limits = {
    memory: asked.memory ?? left("memory"),
    cpus: asked.cpus ?? left("cpu"),
    pids: left("pids"),
    storage: Math.max(0, effectiveQuota(actor.effective, "storage") - storage),
  };
  assertAllowed(actor, facts(limits));
  return limits;
}

/** Decides again on a build that runs with these limits. Throws `forbidden` with the whole explanation. */
export function assertBuildStillAllowed(
  actor: Actor,
  wish: BuildWish,
  { limits, host }: { readonly limits: DecidedLimits; readonly host: HostDefaults },
): void {
  if (actor.kind !== "user") return;
  const beside = { hostFolders: [], networks: wish.networks, images: [], others: [], shared: [], storage: 0, host };
  assertAllowed(actor, containerFacts(decidedBuild(wish, limits), beside));
}

/** Throws `forbidden` for a URL in a Dockerfile that is literally an address of this host. */
export function assertSourceAllowed(actor: Actor, url: string, hostOnly: boolean): void {
  if (actor.kind === "user" && hostOnly)
    throw denied(`ADD ${url}: that is an address of the host alone; a build reaches what its owner's containers reach`);
}
