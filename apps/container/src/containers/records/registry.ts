import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { KeyedLock } from "../../engine/keyed-lock.ts";
import type { Container } from "./container.ts";
import type { ContainerStore, Intent, StoredContainer } from "./store.ts";

/** Whether the actor may know of the container at all. */
export function sees(actor: Actor, container: Pick<Container, "owner">): boolean {
  return actor.kind === "administrator" || container.owner === actor.id;
}

/**
 * The containers in memory, written through to the store: every read is served from here, every change is durable before it is seen.
 */
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

  /** By name, with or without its slash, or full id; whoever asks. */
  find(ref: string): Container | undefined {
    const name = ref.startsWith("/") ? ref.slice(1) : ref;
    return this.#containers.get(this.#idsByName.get(name) ?? (ref as ContainerId));
  }

  /** What is under way with the container. */
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

  /** `ref` is a full id, a name with or without its slash, or a unique prefix of an id, in this order, as in moby's `GetContainer`. */
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

  /** Takes the name and writes the row. The name is taken in memory first, so that of two at once one fails at once. */
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
   * Applies `change` to the newest form of the container and writes it; changes of one container queue up, so none is lost.
   * `intent` is what is under way from here on, `done` that nothing is any more; leaving it out leaves it.
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
      // Its name is read when its turn comes: of two renames at once the second gives the first one's name back.
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
