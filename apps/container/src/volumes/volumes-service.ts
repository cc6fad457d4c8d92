import { EngineError } from "../engine/errors.ts";
import { anyValue, type Filters, labelsPass, requireKnownFilters } from "../engine/filters.ts";
import { KeyedLock } from "../engine/keyed-lock.ts";
import { namePatterns } from "../engine/name-patterns.ts";
import type { EventSink } from "../events/events.ts";
import { validateVolumeName } from "./volume-name.ts";
import type { CreateVolumeRequest, Volume, Volumes } from "./volumes.ts";

/** A volume as it is stored. */
export type VolumeRow = Omit<Volume, "mountpoint" | "driver">;

/** The rows of the volumes. */
export interface VolumeStore {
  load(): Promise<readonly VolumeRow[]>;
  insert(volume: VolumeRow): Promise<void>;
  delete(name: string): Promise<void>;
}

/** The directories behind the rows. */
export interface VolumeFolders {
  readonly path: (name: string) => string;
  /** Makes the folder; idempotent. `options` are the local driver's: a mount of type, device and o. */
  make(name: string, options: Readonly<Record<string, string>>): Promise<void>;
  /** Idempotent. */
  remove(name: string): Promise<void>;
  /** Bytes. */
  size(name: string): Promise<number>;
}

/** The local driver's options: what it mounts at the volume's folder. */
const MOUNT_OPTIONS = ["type", "o", "device"];

/** Whether a volume passes the filters. Throws `invalid` for an unknown filter, even where there are no volumes. */
function filterOf(filters: Filters, inUse: ReadonlySet<string>): (volume: Volume) => boolean {
  requireKnownFilters(filters, ["all", "dangling", "driver", "label", "label!", "name"]);
  const dangling = filters.get("dangling") ?? [];
  const unused = dangling.every((value) => /^(true|1)$/i.test(value));
  if (!unused && !dangling.every((value) => /^(false|0)$/i.test(value)))
    throw new EngineError("invalid", `Invalid filter 'dangling=[${dangling.join(" ")}]'`);
  const matches = namePatterns(filters, ["name"]);
  return (volume) =>
    anyValue(filters, "name", (value) => matches(value, volume.name)) &&
    anyValue(filters, "driver", (value) => value === volume.driver) &&
    labelsPass(filters, volume.labels) &&
    (dangling.length === 0 || unused === !inUse.has(volume.name));
}

interface Outside {
  readonly events: EventSink;
  readonly now: () => string;
}

/** The local driver: a row and a directory for each volume. */
export class LocalVolumes implements Volumes {
  readonly #store: VolumeStore;
  readonly #folders: VolumeFolders;
  readonly #outside: Outside;
  readonly #volumes = new Map<string, Volume>();
  /** Of two mounts of one volume at once, the second finds the mount of the first. */
  readonly #mounting = new KeyedLock<string>();

  private constructor(store: VolumeStore, folders: VolumeFolders, outside: Outside) {
    this.#store = store;
    this.#folders = folders;
    this.#outside = outside;
  }

  /** The volumes of the store. */
  static async open(store: VolumeStore, folders: VolumeFolders, outside: Outside): Promise<LocalVolumes> {
    const opened = new LocalVolumes(store, folders, outside);
    for (const row of await store.load()) opened.#volumes.set(row.name, opened.#whole(row));
    return opened;
  }

  get(name: string): Volume {
    const found = this.#volumes.get(name);
    if (!found) throw new EngineError("not-found", `get ${name}: no such volume`);
    return found;
  }

  find(name: string): Volume | undefined {
    return this.#volumes.get(name);
  }

  mountpoint(name: string): string {
    return this.#folders.path(name);
  }

  list(filters: Filters, inUse: ReadonlySet<string>): readonly Volume[] {
    return [...this.#volumes.values()].filter(filterOf(filters, inUse));
  }

  async create(request: CreateVolumeRequest): Promise<Volume> {
    const { name, anonymous, owner, options, labels } = request;
    checkRequest(request);
    const known = this.#volumes.get(name);
    if (known) return known;
    const row = { name, createdAt: this.#outside.now(), labels, options, anonymous, owner };
    const volume = this.#whole(row);
    this.#volumes.set(name, volume);
    try {
      await this.#store.insert(row);
      await this.#make(row);
    } catch (thrown) {
      this.#volumes.delete(name);
      await this.#store.delete(name);
      throw thrown;
    }
    this.#emit(row, "create");
    return volume;
  }

  async ready(name: string): Promise<void> {
    const volume = this.get(name);
    if (Object.keys(volume.options).length > 0) await this.#make(volume);
  }

  async remove(
    name: string,
    { force, inUse }: { readonly force: boolean; readonly inUse: ReadonlySet<string> },
  ): Promise<void> {
    if (!this.#volumes.has(name) && force) return;
    const volume = this.get(name);
    if (inUse.has(name)) throw new EngineError("conflict", `remove ${name}: volume is in use`);
    await this.#drop(volume);
  }

  async prune(
    filters: Filters,
    inUse: ReadonlySet<string>,
    { anonymousOnly }: { readonly anonymousOnly: boolean },
  ): Promise<{ readonly deleted: readonly string[]; readonly spaceReclaimed: number }> {
    const passes = filterOf(filters, inUse);
    // dockerd never prunes a volume whose options mount something.
    const prunable = ({ name, anonymous, options }: Volume) =>
      !inUse.has(name) && (anonymous || !anonymousOnly) && Object.keys(options).length === 0;
    const unused = [...this.#volumes.values()].filter((volume) => prunable(volume) && passes(volume));
    let spaceReclaimed = 0;
    for (const volume of unused) {
      spaceReclaimed += await this.#folders.size(volume.name);
      await this.#drop(volume);
    }
    return { deleted: unused.map(({ name }) => name), spaceReclaimed };
  }

  async size(name: string): Promise<number> {
    return this.#folders.size(this.get(name).name);
  }

  #whole(row: VolumeRow): Volume {
    return { ...row, driver: "local", mountpoint: this.#folders.path(row.name) };
  }

  #make({ name, options }: Pick<Volume, "name" | "options">): Promise<void> {
    return this.#mounting.hold(name, () => this.#folders.make(name, options));
  }

  async #drop(volume: Volume): Promise<void> {
    await this.#folders.remove(volume.name);
    await this.#store.delete(volume.name);
    this.#volumes.delete(volume.name);
    this.#emit(volume, "destroy");
  }

  #emit({ name, owner }: Pick<Volume, "name" | "owner">, action: "create" | "destroy"): void {
    this.#outside.events.emit({ type: "volume", action, owner, actor: { id: name, attributes: { driver: "local" } } });
  }
}

/** Throws Docker's refusal of a driver, a name or options that the local driver does not have. */
function checkRequest({ name, driver, options }: CreateVolumeRequest): void {
  if (driver !== "local" && driver !== "")
    throw new EngineError(
      "not-found",
      `create ${name}: error looking up volume plugin ${driver}: plugin "${driver}" not found`,
    );
  const badName = validateVolumeName(name);
  if (badName !== undefined) throw new EngineError("invalid", badName);
  const unknown = Object.keys(options).find((option) => !MOUNT_OPTIONS.includes(option));
  if (unknown !== undefined)
    throw new EngineError("invalid", `create ${name}: invalid option: ${JSON.stringify(unknown)}`);
  const missing = ["device", "type"].find((option) => !options[option]);
  if (missing !== undefined && (options.device || options.type))
    throw new EngineError("invalid", `create ${name}: missing required option: ${JSON.stringify(missing)}`);
}
