import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { SYSTEM_CLOCK } from "../engine/clock.ts";
import { noFilters } from "../engine/filters.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Steps } from "../engine/steps.testing.ts";
import { createJournal } from "../events/journal.ts";
import { createContainerFiles } from "../host/container-files.ts";
import { someImage, someOrigin } from "../images/some-image.testing.ts";
import { MemoryNetworks } from "../networks/memory-networks.testing.ts";
import { MemoryPorts } from "../ports/memory-ports.testing.ts";
import { memoryRuntime } from "../runtimes/memory/runtime.ts";
import { endWorld, memoryWorld } from "../runtimes/memory/world.ts";
import { MemoryVolumes } from "../volumes/memory-volumes.testing.ts";
import { LocalVolumes } from "../volumes/volumes-service.ts";
import { createArchives } from "./archive/archives-service.ts";
import type { ArchiveFiles } from "./archive/files.ts";
import { ADMINISTRATOR } from "./containers-service.testing.ts";
import { createContainers } from "./containers-service.ts";
import { memoryContext, Rows } from "./memory-context.testing.ts";
import { createNetworkMembers } from "./networks/members-service.ts";
import { recordedNetworks } from "./records/joined-networks.ts";
import { Registry } from "./records/registry.ts";
import { isRunning } from "./records/state.ts";

/** Tests have the clock stand still, but files take their time. */
const REAL_TIMEOUT = globalThis.setTimeout;

/** The host of stepwise tests: what outlives a service. */
export class StepwiseHost {
  readonly rows = new Rows();
  readonly world = memoryWorld();
  readonly networks = new MemoryNetworks();
  readonly ports = new MemoryPorts();
  readonly volumes = new MemoryVolumes();
  /** What the image store has. */
  readonly images: string[] = [];
  /** What the container's files have. */
  readonly copied = new Set<string>();
  readonly #services: { readonly close: () => Promise<void> }[] = [];
  #folder: string | undefined;

  /** A service on this host; what has effects on the host is a step. */
  async open(steps: Steps) {
    this.#folder ??= await mkdtemp(join(tmpdir(), "berth-steps-"));
    const store = steps.in(this.rows, "rows", ["insert", "save", "delete"]);
    const registry = new Registry(store, { rewriteMs: 10 });
    const events = createJournal();
    const commit = async () => {
      this.images.push("committed");
      return someImage().id;
    };
    const base = await memoryContext(this.#folder, {
      registry,
      events,
      runtime: steps.in(
        memoryRuntime(this.world),
        "runtime",
        ["create", "start", "kill", "remove", "pause", "resume", "diff", "withRootfs", "exec"],
        // Their contracts say so, and the runtime over containerd has tests of that.
        { atomic: ["start", "exec"] },
      ),
      images: steps.in({ get: async () => someImage(), origin: someOrigin, commit }, "images", ["commit"], {
        atomic: ["commit"],
      }),
      networks: steps.in(this.networks, "networks", ["claim", "release", "connect", "disconnect"]),
      ports: steps.in(this.ports, "ports", ["lease", "publish", "release"]),
      volumes: await LocalVolumes.open(
        steps.in(this.volumes.store, "volumes", ["insert", "delete"]),
        steps.in(this.volumes.folders, "folders", ["make", "setAside", "putBack", "discard"], { atomic: ["make"] }),
        { events, now: SYSTEM_CLOCK.now },
      ),
      files: steps.in(createContainerFiles(join(this.#folder, "files")), "files", ["write", "change", "remove"]),
    });
    const service = createContainers(base, { ps: async () => [] });
    this.#services.push(service);
    const archives = createArchives(service.context, steps.in(this.#archiveFiles(), "archive", ["write"]));
    const members = createNetworkMembers(service.context);
    return { ...service, registry, archives, members, volumes: base.volumes };
  }

  /** Ends all services and removes all there is. */
  async end(): Promise<void> {
    // One that crashed waits for ever.
    for (const service of this.#services.splice(0)) void service.close();
    await endWorld(this.world);
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true });
  }

  #archiveFiles(): ArchiveFiles {
    const none = () => Promise.reject(new Error("not part of these tests"));
    return {
      stat: none,
      read: none,
      export: none,
      existing: none,
      write: async (_, path) => void this.copied.add(path),
    };
  }

  /**
   * What is not as it has to be: the host's parts fit the record, and the row is what memory has. Empty where all is well.
   * @param ends the statuses that the container may have; undefined stands for no container
   */
  disorder({ registry, context, volumes }: StepwiseService, ends: readonly (string | undefined)[]): readonly string[] {
    const container = registry.all()[0];
    const status = container?.state.status;
    const row = [...this.rows.rows.values()][0];
    const runs = container !== undefined && isRunning(container.state);
    const id = container?.id ?? ("" as ContainerId);
    const held = this.world.containers.get(id);
    const wrong = (found: boolean, what: string) => (found ? [what] : []);
    const recorded = container === undefined ? [] : [...recordedNetworks(context, container).values()];
    const joined = this.networks.sandboxOf(id)?.endpoints.map(({ networkId }) => networkId) ?? [];
    const same = (one: Iterable<string>, other: Iterable<string>) =>
      JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
    const shown = volumes.list(noFilters, new Set(), ADMINISTRATOR).map(({ name }) => name);
    return [
      ...wrong(!ends.includes(status), `status ${status}`),
      ...wrong(row?.container.state.status !== status, `row ${row?.container.state.status}, not ${status}`),
      ...wrong(
        !same(Object.keys(row?.container.endpoints ?? {}), Object.keys(container?.endpoints ?? {})),
        "the row's networks are not those in memory",
      ),
      ...wrong((held?.process !== undefined) !== runs, `process ${held?.process?.pid} of what is ${status}`),
      ...wrong((held?.process?.paused === true) !== (status === "paused"), `paused, and ${status}`),
      ...wrong((held?.execs.size ?? 0) > 0, "an exec runs"),
      ...wrong(this.networks.holders.size !== (runs ? 1 : 0), `${this.networks.holders.size} sandboxes`),
      ...wrong(
        runs &&
          !same(
            joined,
            recorded.map((network) => network.id),
          ),
        `on ${joined.length} networks, recorded on ${recorded.length}`,
      ),
      ...wrong(this.ports.published.size !== (runs ? 1 : 0), `${this.ports.published.size} published`),
      ...wrong(this.ports.assignments(id).length > 0 !== runs, `${this.ports.assignments(id).length} leases`),
      ...wrong(this.world.containers.size > (container === undefined ? 0 : 1), "a root file system of nothing"),
      ...wrong(row?.intent !== undefined, `intent ${row?.intent?.kind}`),
      ...wrong(registry.intentOf(id) !== undefined, `intent ${registry.intentOf(id)?.kind} in memory`),
      ...wrong(!same(this.volumes.rows.keys(), this.volumes.made), "volumes without a row or folder"),
      ...wrong(
        !same(
          shown,
          [...this.volumes.rows.values()].map(({ name }) => name),
        ),
        "volumes unlike their rows",
      ),
      ...wrong(this.volumes.removed.size > 0, "folders set aside"),
      ...wrong(container === undefined && this.volumes.rows.size > 0, "a volume of nothing"),
    ];
  }

  /** As `disorder`, while the clock of what is tried again runs fast. */
  async disorderSoon(service: StepwiseService, ends: readonly (string | undefined)[]): Promise<readonly string[]> {
    for (let second = 0; second < 100 && this.disorder(service, ends).length > 0; second++) await passSecond();
    return this.disorder(service, ends);
  }

  /** Settles with `ended`, while the clock of what it waits for runs fast. */
  async soon(ended: Promise<void>): Promise<void> {
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) await passSecond();
  }
}

/** Lets files be written, then a second pass. */
async function passSecond(): Promise<void> {
  await new Promise((resolve) => REAL_TIMEOUT(resolve, 3));
  await vi.advanceTimersByTimeAsync(1_000);
}

export type StepwiseService = Awaited<ReturnType<StepwiseHost["open"]>>;
