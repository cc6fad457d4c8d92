import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BASELINES,
  type Constraint,
  type ConstraintId,
  effectiveConstraints,
  type GroupId,
  type UserId,
} from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import { SYSTEM_CLOCK } from "../engine/clock.ts";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { KeyedLock } from "../engine/keyed-lock.ts";
import { viewerOf } from "../engine/owners.ts";
import { type Random, SYSTEM_RANDOM } from "../engine/random.ts";
import { createJournal } from "../events/journal.ts";
import { createContainerFiles } from "../host/container-files.ts";
import type { Images } from "../images/images.ts";
import { someImage } from "../images/some-image.testing.ts";
import type { Networks } from "../networks/networks.ts";
import type { Ports } from "../ports/ports.ts";
import { memoryRuntime } from "../runtimes/memory/runtime.ts";
import { endWorld, memoryWorld } from "../runtimes/memory/world.ts";
import { LocalVolumes } from "../volumes/volumes-service.ts";
import type { ExecRequest } from "./containers.ts";
import { createContainers } from "./containers-service.ts";
import { ALL_LIMITS } from "./create/discard-limits.ts";
import type { HostConfig } from "./records/config.ts";
import { CURRENT_DEFAULTS, someConfig, someHostConfig } from "./records/container.testing.ts";
import type { Container } from "./records/container.ts";
import { Registry } from "./records/registry.ts";
import type { ContainerStore, Intent, StoredContainer } from "./records/store.ts";
import { StorageMeter } from "./storage/storage-meter.ts";

/** Rows in memory; `hold` delays writes and `fails` rejects them. */
export class Rows implements ContainerStore {
  readonly rows = new Map<string, StoredContainer>();
  fails = (_: Container): boolean => false;
  load = async () => [...this.rows.values()];
  insert = (container: Container, intent: Intent) => this.save(container, intent);
  save = async (container: Container, intent: Intent | undefined) => {
    await Promise.resolve();
    if (this.fails(container)) throw new Error("the disk is full");
    this.rows.set(container.id, { container, intent });
  };
  delete = async (id: string) => {
    this.rows.delete(id);
  };
}

/**
 * The use cases over the memory runtime, with fake rows, networks and ports that record what is acquired.
 * For tests of concurrency and of failures halfway.
 */
export async function someService(
  faults: { readonly networks?: Partial<Networks>; readonly store?: ContainerStore; readonly random?: Random } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "berth-service-"));
  const rows = new Rows();
  const world = memoryWorld();
  const held = new Set<ContainerId>();
  const problems: unknown[] = [];
  const note = (fields: unknown, message: string) => problems.push([message, fields]);
  const networks = {
    claim: async ({ containerId }: { readonly containerId: ContainerId }) => {
      held.add(containerId);
      return { path: "", endpoints: [], nameserver: undefined };
    },
    sandboxOf: () => undefined,
    get: (ref: string) => {
      throw new EngineError("not-found", `network ${ref} not found`);
    },
    recorded: (ref: string, owner: string | undefined) => faults.networks?.get?.(ref, viewerOf(owner)),
    release: async (id: ContainerId) => void held.delete(id),
    rename: () => undefined,
    recover: async () => undefined,
    ...faults.networks,
  } as unknown as Networks;
  const ports = {
    lease: async () => [],
    publish: async () => undefined,
    release: async () => undefined,
    assignments: () => [],
    rename: () => undefined,
    recover: async () => undefined,
  } as unknown as Ports;
  const events = createJournal();

  const volumes = await LocalVolumes.open(
    { load: async () => [], insert: async () => undefined, delete: async () => undefined },
    {
      // The same for each service of a test: a container that outlives one keeps its volumes.
      path: (name) => join(tmpdir(), `berth-volumes-${process.pid}`, name),
      make: async () => undefined,
      remove: async () => undefined,
      size: async () => 0,
      diskUsage: async () => 0,
    },
    { events, now: SYSTEM_CLOCK.now },
  );
  const images = { get: async () => someImage() } as unknown as Images;
  const registry = new Registry(faults.store ?? rows);
  const runtime = memoryRuntime(world);
  const log = { info: note, warn: note, error: note };
  const disk: { assertRoom: () => Promise<void> } = { assertRoom: async () => undefined };
  const storage = new StorageMeter({ registry, runtime, volumes, log, assertRoom: () => disk.assertRoom() });
  /** What the directory answers about an owner; undefined without a directory. */
  const asked: { answer: (owner: string) => Actor | undefined } = { answer: () => undefined };
  const service = createContainers(
    {
      registry,
      locks: new KeyedLock(),
      owners: new KeyedLock(),
      runtime,
      images,
      networks,
      ports,
      volumes,
      files: createContainerFiles(join(folder, "files")),
      storage,
      askOwner: async (owner) => asked.answer(owner),
      events,
      clock: SYSTEM_CLOCK,
      random: faults.random ?? SYSTEM_RANDOM,
      log,
      host: {
        cpus: 2,
        cpuRealtime: true,
        cgroupnsMode: "private",
        limits: ALL_LIMITS,
        defaultHostIp: undefined,
        userLogs: { maxBytes: 10 * 2 ** 20, maxFiles: 3 },
      },
    },
    { ps: async () => [] },
  );
  return {
    ...service,
    registry,
    images,
    storage,
    disk,
    asked,
    rows,
    world,
    held,
    problems,
    folder,
    request: (name: string, args: readonly string[], hostConfig: Partial<HostConfig> = {}) => ({
      name,
      platform: undefined,
      config: someConfig({ Cmd: args }),
      hostConfig: someHostConfig({
        LogConfig: { Type: "json-file", Config: {} },
        Runtime: "runc",
        CgroupnsMode: "private",
        ...hostConfig,
      }),
      endpoints: {},
      portSpecs: undefined,
      defaults: CURRENT_DEFAULTS,
    }),
    end: async () => {
      await service.close();
      await endWorld(world);
      await rm(folder, { recursive: true });
    },
  };
}

export const ADMINISTRATOR = { kind: "administrator", id: undefined, login: "root" } as const;

/** A user with the safe baseline plus the constraints of its group. */
export function user(id: number, ...constraints: readonly Constraint[]): Actor {
  return {
    kind: "user",
    id: String(id),
    login: `user-${id}`,
    effective: effectiveConstraints({
      subject: { id: id as UserId, login: `user-${id}`, role: "user", active: true },
      constraints: constraints.map((one, index) => ({
        ...one,
        id: (index + 1) as ConstraintId,
        owner: { type: "group", id: 3 as GroupId },
        expiresAt: null,
      })),
      baseline: BASELINES.safe,
      at: "2026-01-01T00:00:00.000Z",
    }),
  };
}

/** An exec with attached output. */
export function someExec(...cmd: readonly string[]): ExecRequest {
  return {
    cmd,
    env: [],
    user: "",
    workingDir: "",
    tty: false,
    privileged: false,
    attachStdin: false,
    attachStdout: true,
    attachStderr: true,
    detachKeys: "",
  };
}
