import { KeyedLock } from "../../engine/concurrency/keyed-lock.ts";
import { EngineError, isOutage } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { ownedKey, parseOwnedRef, pickNamesake, sees, type Viewer } from "../../engine/owners.ts";
import type { Container } from "./container.ts";
import { linkTarget } from "./links.ts";
import type { ContainerStore, Intent, StoredContainer } from "./store.ts";

/** The containers in memory, written through to the store. Reads never touch the store; a change is visible once it is persisted. */
export class Registry {
  readonly #store: ContainerStore;
  readonly #containers = new Map<ContainerId, Container>();
  readonly #intents = new Map<ContainerId, Intent>();
  /** By owner and name: two owners may use the same name. */
  readonly #idsByName = new Map<string, ContainerId>();
  readonly #writes = new KeyedLock<ContainerId>();
  /** Rows behind what memory has, and the timers that try to write them again. */
  readonly #unwritten = new Map<ContainerId, NodeJS.Timeout>();
  readonly #onUnwritten: (id: ContainerId, fault: unknown) => void;
  readonly #rewriteMs: number;

  /** @param options `rewriteMs`: how long after a write that failed the next one is tried */
  constructor(
    store: ContainerStore,
    options: {
      readonly onUnwritten?: (id: ContainerId, fault: unknown) => void;
      readonly rewriteMs?: number;
    } = {},
  ) {
    this.#store = store;
    this.#onUnwritten = options.onUnwritten ?? (() => {});
    this.#rewriteMs = options.rewriteMs ?? 2_000;
  }

  async load(): Promise<readonly StoredContainer[]> {
    const stored = await this.#store.load();
    for (const { container, intent } of stored) {
      this.#containers.set(container.id, container);
      if (intent !== undefined) this.#intents.set(container.id, intent);
      this.#idsByName.set(keyOf(container), container.id);
    }
    return stored;
  }

  get(id: ContainerId): Container | undefined {
    return this.#containers.get(id);
  }

  /** By full id, or by name with or without its slash, among those that the viewer sees. */
  find(viewer: Viewer, ref: string): Container | undefined {
    const byId = this.#containers.get(ref as ContainerId);
    return byId && sees(viewer, byId) ? byId : this.#findNamed(viewer, ref.startsWith("/") ? ref.slice(1) : ref);
  }

  /** The recorded intent: the operation in progress on the container. */
  intentOf(id: ContainerId): Intent | undefined {
    return this.#intents.get(id);
  }

  isTaken(owner: string | undefined, name: string): boolean {
    return this.#idsByName.has(ownedKey(owner, name));
  }

  all(): readonly Container[] {
    return [...this.#containers.values()];
  }

  visible(viewer: Viewer): readonly Container[] {
    return this.all().filter((container) => sees(viewer, container));
  }

  /**
   * `ref` is a full id, a name with or without its slash, or a unique prefix of an id, in this order, as in moby's `GetContainer`. An
   * administrator names a user's container by `OWNER/NAME`, or by its bare name where that is not ambiguous.
   */
  resolve(viewer: Viewer, ref: string): Container {
    const named = this.find(viewer, ref);
    if (named !== undefined) return named;
    if (/^[0-9a-f]{1,63}$/.test(ref)) {
      const [found, another] = this.visible(viewer).filter((container) => container.id.startsWith(ref));
      if (another) throw new EngineError("invalid", `Multiple IDs found with provided prefix: ${ref}`);
      if (found) return found;
    }
    const linked = this.#findLinked(viewer, ref);
    if (linked !== undefined) return linked;
    throw new EngineError("not-found", `No such container: ${ref}`);
  }

  /** The target of the link that `CONTAINER/ALIAS` names. */
  #findLinked(viewer: Viewer, ref: string): Container | undefined {
    const [, name = "", alias = ""] = /^\/?(.+)\/([^/]+)$/.exec(ref) ?? [];
    const from = name === "" ? undefined : this.find(viewer, name);
    const target = from && linkTarget(from, alias);
    return target === undefined ? undefined : this.find(viewer, target);
  }

  /** The containers that link to others. */
  linking(): readonly Container[] {
    return this.all().filter(({ hostConfig: { Links } }) => Links !== null && Links.length > 0);
  }

  /** Reserves the name and writes the row. Reserving it in memory first makes the second of two concurrent creates fail at once. */
  async insert(container: Container, intent: Intent): Promise<void> {
    this.#takeName(container, container.id);
    try {
      await this.#store.insert(container, intent);
    } catch (thrown) {
      this.#idsByName.delete(keyOf(container));
      // A connection that is lost may have carried the row over all the same.
      if (isOutage(thrown)) await this.#discard(container.id);
      throw thrown;
    }
    this.#containers.set(container.id, container);
    this.#intents.set(container.id, intent);
  }

  /**
   * Applies `change` to the latest version of the container and persists it. Changes of one container are queued, so none is lost.
   * `intent` sets the operation in progress, `done` clears it; without it the intent stays.
   */
  update(id: ContainerId, change: (container: Container) => Container, intent?: Intent | "done"): Promise<Container> {
    return this.#writes.hold(id, async () => {
      const before = this.#containers.get(id);
      if (!before) throw new EngineError("not-found", `No such container: ${id}`);
      const after = change(before);
      const next = intent === "done" ? undefined : (intent ?? this.#intents.get(id));
      try {
        await this.#store.save(after, next);
      } catch (thrown) {
        // A connection that is lost may have carried the row over all the same.
        if (isOutage(thrown)) this.#rewriteLater(id);
        throw thrown;
      }
      this.#written(id);
      this.#remember(after, next);
      return after;
    });
  }

  /**
   * As `update`, for what has happened on the host and no store can refuse: memory has it even if the row cannot be written, as on a full
   * disk. The write is then repeated until it succeeds.
   */
  observe(id: ContainerId, change: (container: Container) => Container, intent?: Intent | "done"): Promise<Container> {
    return this.#writes.hold(id, async () => {
      const before = this.#containers.get(id);
      if (!before) throw new EngineError("not-found", `No such container: ${id}`);
      const after = change(before);
      const next = intent === "done" ? undefined : (intent ?? this.#intents.get(id));
      this.#remember(after, next);
      await this.#write(id);
      return after;
    });
  }

  /** Ends the attempts to write what could not be written. */
  close(): void {
    for (const timer of this.#unwritten.values()) clearTimeout(timer);
    this.#unwritten.clear();
  }

  #remember(container: Container, intent: Intent | undefined): void {
    this.#containers.set(container.id, container);
    if (intent === undefined) this.#intents.delete(container.id);
    else this.#intents.set(container.id, intent);
  }

  /** Writes what memory has, or tries again later. */
  async #write(id: ContainerId): Promise<void> {
    const container = this.#containers.get(id);
    if (container === undefined) return;
    try {
      await this.#store.save(container, this.#intents.get(id));
      this.#written(id);
    } catch (fault) {
      if (!this.#unwritten.has(id)) this.#onUnwritten(id, fault);
      this.#rewriteLater(id);
    }
  }

  #rewriteLater(id: ContainerId): void {
    clearTimeout(this.#unwritten.get(id));
    const again = () => void this.#writes.hold(id, () => this.#write(id));
    this.#unwritten.set(id, setTimeout(again, this.#rewriteMs).unref());
  }

  /** Deletes the row of a container that memory does not have, or tries again later. */
  async #discard(id: ContainerId): Promise<void> {
    this.#written(id);
    try {
      await this.#store.delete(id);
    } catch {
      this.#unwritten.set(id, setTimeout(() => void this.#discard(id), this.#rewriteMs).unref());
    }
  }

  #written(id: ContainerId): void {
    clearTimeout(this.#unwritten.get(id));
    this.#unwritten.delete(id);
  }

  async rename(id: ContainerId, name: string): Promise<void> {
    const owner = this.#containers.get(id)?.owner;
    this.#takeName({ owner, name }, id);
    let before: string | undefined;
    try {
      // Read the current name when this change runs, so that of two concurrent renames the second releases the first one's name.
      await this.update(id, (container) => {
        before = container.name;
        return { ...container, name };
      });
    } catch (thrown) {
      this.#idsByName.delete(ownedKey(owner, name));
      throw thrown;
    }
    if (before !== undefined) this.#freeName({ owner, name: before }, id);
  }

  delete(id: ContainerId): Promise<void> {
    return this.#writes.hold(id, async () => {
      await this.#store.delete(id);
      this.#written(id);
      const container = this.#containers.get(id);
      this.#containers.delete(id);
      this.#intents.delete(id);
      if (container) this.#freeName(container, id);
    });
  }

  #takeName(named: Pick<Container, "owner" | "name">, id: ContainerId): void {
    const holder = this.#idsByName.get(keyOf(named));
    if (holder !== undefined)
      throw new EngineError(
        "conflict",
        `Conflict. The container name "/${named.name}" is already in use by container "${holder}". You have to remove (or rename) that container to be able to reuse that name.`,
      );
    this.#idsByName.set(keyOf(named), id);
  }

  #freeName(named: Pick<Container, "owner" | "name">, id: ContainerId): void {
    if (this.#idsByName.get(keyOf(named)) === id) this.#idsByName.delete(keyOf(named));
  }

  /** The viewer's own container of that name, else for an administrator the only one of that name. */
  #findNamed(viewer: Viewer, name: string): Container | undefined {
    const own = this.#named(viewer.id, name);
    if (own !== undefined || viewer.kind === "user") return own;
    const qualified = parseOwnedRef(name);
    if (qualified !== undefined) return this.#named(qualified.owner, qualified.name);
    return pickNamesake(
      this.all().filter((container) => container.name === name),
      viewer,
      "container",
    );
  }

  #named(owner: string | undefined, name: string): Container | undefined {
    const id = this.#idsByName.get(ownedKey(owner, name));
    return id === undefined ? undefined : this.#containers.get(id);
  }
}

function keyOf({ owner, name }: Pick<Container, "owner" | "name">): string {
  return ownedKey(owner, name);
}
