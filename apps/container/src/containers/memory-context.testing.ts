import { join } from "node:path";
import { SYSTEM_CLOCK } from "../engine/clock.ts";
import { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { SYSTEM_RANDOM } from "../engine/random.ts";
import { createJournal } from "../events/journal.ts";
import { createContainerFiles } from "../host/container-files.ts";
import { someImage, someOrigin } from "../images/some-image.testing.ts";
import { MemoryNetworks } from "../networks/memory-networks.testing.ts";
import { MemoryPorts } from "../ports/memory-ports.testing.ts";
import { memoryRuntime } from "../runtimes/memory/runtime.ts";
import { memoryWorld } from "../runtimes/memory/world.ts";
import { MemoryVolumes } from "../volumes/memory-volumes.testing.ts";
import { LocalVolumes } from "../volumes/volumes-service.ts";
import type { Context } from "./context.ts";
import { ALL_LIMITS } from "./create/discard-limits.ts";
import type { Container } from "./records/container.ts";
import { Registry } from "./records/registry.ts";
import type { ContainerStore, Intent, StoredContainer } from "./records/store.ts";
import type { Storage } from "./storage/storage.ts";

/** Rows in memory; `fails` rejects writes. */
export class Rows implements ContainerStore {
  readonly rows = new Map<string, StoredContainer>();
  fails = (_: Container): boolean => false;
  outage = new Error("the disk is full");
  load = async () => [...this.rows.values()];
  insert = (container: Container, intent: Intent) => this.save(container, intent);
  save = async (container: Container, intent: Intent | undefined) => {
    await Promise.resolve();
    if (this.fails(container)) throw this.outage;
    this.rows.set(container.id, { container, intent });
  };
  delete = async (id: string) => {
    this.rows.delete(id);
  };
}

const UNMETERED: Storage = { of: () => 0, wrote: () => undefined, assertRoom: async () => undefined };

/**
 * What the use cases depend on, all in memory but for the containers' files.
 * @param folder of all files
 * @param more what a test replaces
 */
export async function memoryContext(
  folder: string,
  more: Partial<Context> = {},
): Promise<Omit<Context, "supervisor" | "health">> {
  const events = createJournal();
  const { store, folders } = new MemoryVolumes();
  const volumes = await LocalVolumes.open(store, folders, { events, now: SYSTEM_CLOCK.now });
  return {
    registry: new Registry(new Rows()),
    locks: new KeyedLock(),
    owners: new KeyedLock(),
    runtime: memoryRuntime(memoryWorld({}, folder)),
    images: {
      get: async () => someImage(),
      origin: someOrigin,
      commit: async () => someImage().id,
    },
    networks: new MemoryNetworks(),
    ports: new MemoryPorts(),
    volumes,
    files: createContainerFiles(join(folder, "files")),
    storage: UNMETERED,
    held: { all: () => [] },
    askOwner: async () => undefined,
    placeGroup: () => undefined,
    events,
    actions: { record: () => undefined },
    clock: SYSTEM_CLOCK,
    random: SYSTEM_RANDOM,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    host: {
      cpus: 2,
      cpuRealtime: true,
      cgroupnsMode: "private",
      limits: ALL_LIMITS,
      apparmor: true,
      defaultHostIp: undefined,
      stateDirectory: join(folder, "state"),
      userLogs: { maxBytes: 10 * 2 ** 20, maxFiles: 3 },
    },
    ...more,
  };
}
