import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { KeyedLock } from "../../engine/keyed-lock.ts";
import type { Container } from "./container.ts";
import type { ContainerStore, Intent, StoredContainer } from "./store.ts";

/** Whether the actor may see the container. */
export function sees(actor: Actor, container: Pick<Container, "owner">): boolean {
  return actor.kind === "administrator" || container.owner === actor.id;
}

/** The containers in memory, written through to the store. Reads never touch the store; a change is visible once it is persisted. */
export class Registry {
  readonly #store: ContainerStore;
  readonly #containers = new Map<ContainerId, Container>();
  readonly #intents = new Map<ContainerId, Intent>();
  readonly #idsByName = new Map<string, ContainerId>();
  readonly #writes = new KeyedLock<ContainerId>();

  constructor(store: ContainerStore) {
    this.#store = store;
  }

  async load(): Promise<readonly StoredContainer[]> {
    const stored = await this.#store.load();
    for (const { container, intent } of stored) {
      this.#containers.set(container.id, container);
      if (intent !== undefined) this.#intents.set(container.id, intent);
      this.#idsByName.set(container.name, container.id);
    }
    return stored;
  }

  get(id: ContainerId): Container | undefined {
    return this.#containers.get(id);
  }

  /** Finds by full id or by name, with or without its slash, for any actor. */
  find(ref: string): Container | undefined {
    const name = ref.startsWith("/") ? ref.slice(1) : ref;
    return this.#containers.get(this.#idsByName.get(name) ?? (ref as ContainerId));
  }

  /** The recorded intent: the operation in progress on the container. */
  intentOf(id: ContainerId): Intent | undefined {
    return this.#intents.get(id);
  }

  isTaken(name: string): boolean {
    return this.#idsByName.has(name);
  }

  all(): readonly Container[] {
    return [...this.#containers.values()];
  }

  visible(actor: Actor): readonly Container[] {
    return this.all().filter((container) => sees(actor, container));
  }

  /** Resolves a full id, a name with or without its slash, or a unique id prefix, in this order, as moby's `GetContainer`. */
  resolve(actor: Actor, ref: string): Container {
    const byId = this.#containers.get(ref as ContainerId);
    if (byId && sees(actor, byId)) return byId;
    const named = this.#idsByName.get(ref.startsWith("/") ? ref.slice(1) : ref);
    const byName = named && this.#containers.get(named);
    if (byName && sees(actor, byName)) return byName;
    if (/^[0-9a-f]{1,63}$/.test(ref)) {
      const [found, another] = this.visible(actor).filter((container) => container.id.startsWith(ref));
      if (another) throw new EngineError("invalid", `Multiple IDs found with provided prefix: ${ref}`);
      if (found) return found;
    }
    throw new EngineError("not-found", `No such container: ${ref}`);
  }

  /** Reserves the name and writes the row. Reserving it in memory first makes the second of two concurrent creates fail at once. */
  async insert(container: Container, intent: Intent): Promise<void> {
    this.#takeName(container.name, container.id);
    try {
      await this.#store.insert(container, intent);
    } catch (thrown) {
      this.#idsByName.delete(container.name);
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
      await this.#store.save(after, next);
      this.#containers.set(id, after);
      if (next === undefined) this.#intents.delete(id);
      else this.#intents.set(id, next);
      return after;
    });
  }

  async rename(id: ContainerId, name: string): Promise<void> {
    this.#takeName(name, id);
    let before: string | undefined;
    try {
      // Read the current name when this change runs, so that of two concurrent renames the second releases the first one's name.
      await this.update(id, (container) => {
        before = container.name;
        return { ...container, name };
      });
    } catch (thrown) {
      this.#idsByName.delete(name);
      throw thrown;
    }
    if (before !== undefined && this.#idsByName.get(before) === id) this.#idsByName.delete(before);
  }

  delete(id: ContainerId): Promise<void> {
    return this.#writes.hold(id, async () => {
      await this.#store.delete(id);
      const container = this.#containers.get(id);
      this.#containers.delete(id);
      this.#intents.delete(id);
      if (container && this.#idsByName.get(container.name) === id) this.#idsByName.delete(container.name);
    });
  }

  #takeName(name: string, id: ContainerId): void {
    const holder = this.#idsByName.get(name);
    if (holder !== undefined)
      throw new EngineError(
        "conflict",
        `Conflict. The container name "/${name}" is already in use by container "${holder}". You have to remove (or rename) that container to be able to reuse that name.`,
      );
    this.#idsByName.set(name, id);
  }
}
