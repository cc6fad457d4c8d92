import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Actor } from "../engine/actor.ts";
import { type Random, SYSTEM_RANDOM } from "../engine/random.ts";
import { withCalls } from "../engine/with-calls.testing.ts";
import { MemoryNetworks } from "../networks/memory-networks.testing.ts";
import type { Networks } from "../networks/networks.ts";
import { memoryRuntime } from "../runtimes/memory/runtime.ts";
import { endWorld, memoryWorld } from "../runtimes/memory/world.ts";
import type { ExecRequest } from "./containers.ts";
import { createContainers } from "./containers-service.ts";
import { memoryContext, Rows } from "./memory-context.testing.ts";
import type { HostConfig } from "./records/config.ts";
import { someConfig, someHostConfig } from "./records/container.testing.ts";
import { Registry } from "./records/registry.ts";
import type { ContainerStore } from "./records/store.ts";
import { StorageMeter } from "./storage/storage-meter.ts";

/**
 * The use cases over the memory runtime, with rows, networks and ports in memory.
 * For tests of concurrency and of failures halfway.
 */
export async function someService(
  faults: { readonly networks?: Partial<Networks>; readonly store?: ContainerStore; readonly random?: Random } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "berth-service-"));
  const rows = new Rows();
  const world = memoryWorld();
  const problems: unknown[] = [];
  const note = (fields: unknown, message: string) => problems.push([message, fields]);
  const networks = new MemoryNetworks();
  const registry = new Registry(faults.store ?? rows);
  const runtime = memoryRuntime(world);
  const log = { info: note, warn: note, error: note };
  const disk: { assertRoom: () => Promise<void> } = { assertRoom: async () => undefined };
  /** What the directory answers about an owner; undefined without a directory. */
  const asked: { answer: (owner: string) => Actor | undefined } = { answer: () => undefined };
  const base = await memoryContext(folder, {
    registry,
    runtime,
    networks: withCalls(networks, faults.networks ?? {}),
    askOwner: async (owner) => asked.answer(owner),
    random: faults.random ?? SYSTEM_RANDOM,
    log,
  });
  const { volumes, images } = base;
  const storage = new StorageMeter({
    registry,
    runtime,
    volumes,
    log,
    assertRoom: () => disk.assertRoom(),
    ofBuilds: () => 0,
  });
  const service = createContainers({ ...base, storage }, { ps: async () => [] });
  service.watch();
  return {
    ...service,
    registry,
    images,
    storage,
    disk,
    asked,
    rows,
    world,
    networks,
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
    }),
    end: async () => {
      await service.close();
      await endWorld(world);
      await rm(folder, { recursive: true });
    },
  };
}

export const ADMINISTRATOR = { kind: "administrator", id: undefined, login: "root" } as const;

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
