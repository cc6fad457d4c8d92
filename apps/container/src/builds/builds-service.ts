import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Actor } from "../engine/actor.ts";
import type { Clock } from "../engine/clock.ts";
import { EngineError, isEngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import type { EventSink } from "../events/events.ts";
import type { Progress } from "../images/images.ts";
import { HeldRights, watchRights } from "../policy/held-rights.ts";
import { type Builder, type BuildFolders, NO_BUILDER } from "./builder.ts";
import type { BuildRequest, Builds, BuildWatch, CacheEntry, CachePruning } from "./builds.ts";
import { chooseEvicted } from "./choose-evicted.ts";
import { Lines } from "./lines.ts";
import { finishNames } from "./name-result.ts";
import { prepareBuild } from "./prepare-build.ts";
import { BuildQueue, type QueueLimits } from "./queue.ts";
import { forgetResults } from "./results.ts";
import { type BuildEnd, runBuild } from "./run-build.ts";
import type { WorkContext } from "./work-context.ts";

export interface BuildsOptions extends Omit<WorkContext, "queue"> {
  readonly builder: Builder;
  readonly events: EventSink;
  readonly clock: Clock;
  readonly log: Log;
  /** Holds the caches, a folder for each owner. */
  readonly folder: string;
  readonly queue: QueueLimits;
  /** How long a build may take, its turn in the queue included. */
  readonly timeoutMs: number;
}

/** In place of a build's id: the owner's turn is what keeps builds from it. */
const PRUNING = "prune";

/** The administrators' socket belongs to no user. */
const NO_OWNER = "administrators";

interface Running {
  readonly owner: string | undefined;
  readonly buildId: string;
  readonly end: AbortController;
  readonly done: Promise<void>;
}

/** Builds by a {@link Builder}: a row, folders, a network and a control group for each, and nothing of them left afterwards. */
export class LocalBuilds implements Builds {
  readonly #options: BuildsOptions;
  readonly #queue: BuildQueue;
  readonly #running = new Map<string, Running>();
  /** The newest measurement of each owner's cache: an older one that ends later is out of date. */
  readonly #walks = new Map<string, symbol>();

  constructor(options: BuildsOptions) {
    this.#options = options;
    this.#queue = new BuildQueue(options.queue);
  }

  async build(
    actor: Actor,
    request: BuildRequest,
    { signal, endUnless }: BuildWatch,
  ): Promise<AsyncIterable<Progress>> {
    const { builder, clock } = this.#options;
    if ((await builder.missing()) !== undefined) throw new EngineError("unsupported", NO_BUILDER);
    const giveBack = this.#queue.reserve(ownerOf(actor));
    const id = randomBytes(32).toString("hex");
    const end = new AbortController();
    const rights = new HeldRights(actor);
    watchRights(rights, endUnless, end);
    let settle = (): void => {};
    const done = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const running = { owner: actor.id, buildId: request.buildId, end, done };
    this.#running.set(id, running);
    const folders = this.#foldersOf(actor.id, id);
    const finish = async (cache: BuildEnd["cache"]): Promise<void> => {
      try {
        await this.#clear(id, ownerOf(actor), folders);
        const measured = cache === "changed" ? this.#measure(ownerOf(actor)) : undefined;
        // A user's next request is decided by it. Nobody else has to wait for a walk at idle priority.
        if (actor.kind === "user") await measured;
      } catch (err) {
        this.#options.log.error({ err, build: id }, "failed to clear a build");
      }
      this.#running.delete(id);
      giveBack();
      settle();
    };
    const ending = AbortSignal.any([signal, end.signal]);
    const timer = setTimeout(() => {
      end.abort(
        new EngineError(
          "failed",
          `the build took longer than BERTH_BUILD_TIMEOUT (${this.#options.timeoutMs / 1000} s)`,
        ),
      );
    }, this.#options.timeoutMs);
    try {
      await this.#options.store.insert({ id, owner: actor.id, createdAt: clock.now() });
      for (const folder of [folders.cache, folders.context]) await mkdir(folder, { recursive: true, mode: 0o700 });
      const work = { ...this.#options, queue: this.#queue };
      const build = { id, rights, request, folders, owner: ownerOf(actor), signal: ending };
      const prepared = await prepareBuild(work, build);
      const lines = new Lines<Progress>(() => end.abort(new EngineError("failed", "the client left")));
      ending.addEventListener("abort", () => lines.hurry(), { once: true });
      void runBuild(work, build, prepared, lines)
        .finally(() => clearTimeout(timer))
        .then(async ({ failure, cache }) => {
          await finish(cache);
          if (failure !== undefined) await lines.push(failure);
        })
        .catch((err: unknown) => this.#options.log.error({ err, build: id }, "build failed"))
        .finally(() => lines.end());
      return lines;
    } catch (thrown) {
      clearTimeout(timer);
      await finish("unchanged");
      if (end.signal.aborted) throw end.signal.reason;
      throw thrown;
    }
  }

  cancel(actor: Actor, buildId: string): void {
    for (const running of this.#running.values())
      if (buildId !== "" && running.buildId === buildId && this.#mayEnd(actor, running))
        running.end.abort(new EngineError("failed", "the build was cancelled"));
  }

  async forget(owner: string): Promise<void> {
    const running = [...this.#running.values()].filter((one) => one.owner === owner);
    for (const { end } of running) end.abort(new EngineError("failed", "what the build belongs to has ended"));
    await Promise.all(running.map(({ done }) => done));
    await rm(join(this.#options.folder, owner), { recursive: true, force: true });
    await this.#measure(owner);
  }

  async cache(actor: Actor): Promise<readonly CacheEntry[]> {
    const entries = await Promise.all(
      (await this.#ownersOf(actor)).map((owner) => this.#options.builder.entries(this.#cacheOf(owner))),
    );
    return entries.flat();
  }

  async prune(
    actor: Actor,
    wish?: CachePruning,
  ): Promise<{ readonly deleted: readonly string[]; readonly spaceReclaimed: number }> {
    const deleted: string[] = [];
    let spaceReclaimed = 0;
    for (const owner of await this.#ownersOf(actor)) {
      // The owner's turn: no build of it uses the cache meanwhile.
      await this.#queue.run(owner, new AbortController().signal, async () => {
        const entries = await this.#evict(owner, wish);
        deleted.push(...entries.map(({ id }) => id));
        spaceReclaimed += entries.reduce((sum, { size }) => sum + size, 0);
        await this.#measure(owner);
      });
    }
    const actorAttributes = { reclaimed: String(spaceReclaimed) };
    this.#options.events.emit({
      type: "builder",
      action: "prune",
      actor: { id: "", attributes: actorAttributes },
      owner: actor.id,
    });
    return { deleted, spaceReclaimed };
  }

  /** Removes of one cache, and gives what is gone. */
  async #evict(owner: string, wish: CachePruning | undefined): Promise<readonly CacheEntry[]> {
    const { builder } = this.#options;
    const cache = this.#cacheOf(owner);
    const before = await builder.entries(cache);
    if (wish === undefined) await rm(cache, { recursive: true, force: true });
    else {
      const evicted = chooseEvicted(before, wish);
      if (evicted.length === 0) return [];
      await forgetResults(cache);
      await builder.evict(this.#foldersOf(owner, PRUNING), new Set(evicted.map(({ id }) => id)));
    }
    const left = new Set((await builder.entries(cache)).map(({ id }) => id));
    return before.filter(({ id }) => !left.has(id));
  }

  /** Takes away what builds of an earlier run left, and names the images that they had given. Call it before the first build. */
  async recover(): Promise<void> {
    const { store, imageContext } = this.#options;
    for (const row of await store.load()) {
      const { id, owner } = row;
      await finishNames(imageContext, row);
      await this.#clear(id, owner ?? NO_OWNER, this.#foldersOf(owner, id));
    }
    for (const owner of await readdir(this.#options.folder).catch(() => [])) {
      await rm(this.#foldersOf(owner, PRUNING).work, { recursive: true, force: true });
      await this.#measure(owner);
    }
  }

  /** Ends every build, and takes it away. */
  async close(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { end } of running) end.abort(new EngineError("unavailable", "the service stops"));
    await Promise.all(running.map(({ done }) => done));
  }

  async #clear(id: string, owner: string, folders: BuildFolders): Promise<void> {
    const { builder, sources, store } = this.#options;
    await builder.clear(id, owner, folders);
    await sources.networks.release(id as ContainerId);
    await store.delete(id);
  }

  /** What the owner's cache takes now. One that is not there takes nothing. */
  async #measure(owner: string): Promise<void> {
    const { caches, measure, log } = this.#options;
    const walk = Symbol(owner);
    this.#walks.set(owner, walk);
    try {
      const bytes = await measure(this.#cacheOf(owner)).catch((thrown: unknown) => {
        if (isEngineError(thrown, "not-found")) return 0;
        throw thrown;
      });
      if (this.#walks.get(owner) === walk) caches.set(owner, bytes);
    } catch (err) {
      log.warn({ err, owner }, "failed to measure a build cache");
    } finally {
      if (this.#walks.get(owner) === walk) this.#walks.delete(owner);
    }
  }

  #mayEnd(actor: Actor, { owner }: Running): boolean {
    return actor.kind === "administrator" || actor.id === owner;
  }

  #cacheOf(owner: string): string {
    return join(this.#options.folder, owner, "cache");
  }

  #foldersOf(owner: string | undefined, id: string): BuildFolders {
    const all = join(this.#options.folder, owner ?? NO_OWNER);
    const work = join(all, id.slice(0, 12));
    return { owner: all, cache: this.#cacheOf(owner ?? NO_OWNER), work, context: join(work, "context") };
  }

  async #ownersOf(actor: Actor): Promise<readonly string[]> {
    if (actor.kind === "user") return [ownerOf(actor)];
    return await readdir(this.#options.folder).catch(() => []);
  }
}

function ownerOf({ id }: Actor): string {
  return id ?? NO_OWNER;
}
