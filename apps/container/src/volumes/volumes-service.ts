import { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { EngineError, isOutage } from "../engine/errors.ts";
import { anyValue, type Filters, labelsPass, requireKnownFilters } from "../engine/filters.ts";
import { namePatterns } from "../engine/name-patterns.ts";
import { parseOwnedRef, pickNamesake, sees, type Viewer } from "../engine/owners.ts";
import type { EventSink } from "../events/events.ts";
import { validateVolumeName } from "./volume-name.ts";
import type { CreateVolumeRequest, Volume, Volumes } from "./volumes.ts";

/** A volume as it is stored. */
export type VolumeRow = Omit<Volume, "mountpoint" | "driver">;

/** The rows of the volumes. */
export interface VolumeStore {
  load(): Promise<readonly VolumeRow[]>;
  /** Idempotent. */
  insert(volume: VolumeRow): Promise<void>;
  delete(folder: string): Promise<void>;
}

/** The directories behind the rows. */
export interface VolumeFolders {
  readonly path: (folder: string) => string;
  /** Makes the folder; idempotent. `options` are the local driver's: a mount of type, device and o. */
  make(folder: string, options: Readonly<Record<string, string>>): Promise<void>;
  /** Unmounts what the options mounted, and moves the folder to those that are being removed. Idempotent. */
  setAside(folder: string): Promise<void>;
  /** Undoes `setAside`. Idempotent. */
  putBack(folder: string): Promise<void>;
  /** Removes a folder that was set aside. Idempotent. */
  discard(folder: string): Promise<void>;
  /** The folders that were set aside and neither put back nor discarded. */
  aside(): Promise<readonly string[]>;
  /** Bytes. */
  size(folder: string): Promise<number>;
  /** Bytes of disk, at least 4 KiB for each file. */
  diskUsage(folder: string): Promise<number>;
}

/** The local driver's options: what it mounts at the volume's folder. */
const MOUNT_OPTIONS = ["type", "o", "device"];

/** Whether a volume passes the filters. Throws `invalid` for an unknown filter, even where there are no volumes. */
function filterOf(filters: Filters, inUse: ReadonlySet<string>): (volume: Volume) => boolean {
  requireKnownFilters(filters, ["all", "dangling", "driver", "label", "label!", "name"]);
  const dangling = filters.get("dangling") ?? [];
  const unused = dangling.every((value) => /^(true|1)$/i.test(value));
  if (!unused && !dangling.every((value) => /^(false|0)$/i.test(value)))
    throw new EngineError("invalid", `invalid filter 'dangling=[${dangling.join(" ")}]'`);
  const matches = namePatterns(filters, ["name"]);
  return (volume) =>
    anyValue(filters, "name", (value) => matches(value, volume.name)) &&
    anyValue(filters, "driver", (value) => value === volume.driver) &&
    labelsPass(filters, volume.labels) &&
    (dangling.length === 0 || unused === !inUse.has(volume.mountpoint));
}

interface Outside {
  readonly events: EventSink;
  readonly now: () => string;
}

/** Docker's label of a volume without a name of its own. */
const ANONYMOUS_LABEL = "com.docker.volume.anonymous";

/** How long after a write or a removal that failed the next one is tried. */
const TRY_AGAIN_MS = 5_000;

/**
 * The local driver: a row and a directory for each volume. A removal sets the directory aside, deletes the row, then removes the
 * directory; where it is cut off, the row says at the next start which way to go on.
 */
export class LocalVolumes implements Volumes {
  readonly #store: VolumeStore;
  readonly #folders: VolumeFolders;
  readonly #outside: Outside;
  /** By mountpoint. */
  readonly #volumes = new Map<string, Volume>();
  /** Of two mounts of one volume at once, the second finds the mount of the first; of two removals, nothing. */
  readonly #folderLocks = new KeyedLock<string>();

  private constructor(store: VolumeStore, folders: VolumeFolders, outside: Outside) {
    this.#store = store;
    this.#folders = folders;
    this.#outside = outside;
  }

  /** The volumes of the store. */
  static async open(store: VolumeStore, folders: VolumeFolders, outside: Outside): Promise<LocalVolumes> {
    const opened = new LocalVolumes(store, folders, outside);
    const rows = await store.load();
    for (const row of rows) opened.#add(row);
    const known = new Set(rows.map(({ folder }) => folder));
    for (const folder of await folders.aside()) {
      if (known.has(folder)) await folders.putBack(folder);
      else opened.#discard(folder);
    }
    // A crash may have come between the row and the folder.
    await Promise.all(rows.map(({ folder }) => opened.#make({ folder, options: {} })));
    return opened;
  }

  get(name: string, viewer: Viewer): Volume {
    const found = this.find(name, viewer);
    if (!found) throw new EngineError("not-found", `get ${name}: no such volume`);
    return found;
  }

  find(name: string, viewer: Viewer): Volume | undefined {
    const seen = [...this.#volumes.values()].filter((volume) => sees(viewer, volume));
    const qualified = parseOwnedRef(name);
    return (
      pickNamesake(
        seen.filter((volume) => volume.name === name),
        viewer,
        "volume",
      ) ?? seen.find((volume) => volume.owner === qualified?.owner && volume.name === qualified?.name)
    );
  }

  at(mountpoint: string): Volume | undefined {
    return this.#volumes.get(mountpoint);
  }

  mountpoint(name: string, viewer: Viewer): string {
    const shared = viewer.kind === "administrator" ? this.#own(undefined, name) : undefined;
    return (this.#own(viewer.id, name) ?? shared)?.mountpoint ?? this.#folders.path(this.#folderFor(viewer.id, name));
  }

  list(filters: Filters, inUse: ReadonlySet<string>, viewer: Viewer): readonly Volume[] {
    const passes = filterOf(filters, inUse);
    return [...this.#volumes.values()].filter((volume) => sees(viewer, volume) && passes(volume));
  }

  async create(request: CreateVolumeRequest): Promise<Volume> {
    const { name, anonymous, owner, options, labels } = request;
    checkRequest(request);
    const known = this.#own(owner, name);
    if (known) return known;
    const folder = this.#folderFor(owner, name);
    const shown = anonymous ? { [ANONYMOUS_LABEL]: "", ...labels } : labels;
    const row = { name, folder, createdAt: this.#outside.now(), labels: shown, options, anonymous, owner };
    const volume = this.#add(row);
    try {
      await this.#store.insert(row);
      // As in Docker, options mount something once a container needs it: the device may come later.
      await this.#make({ folder, options: {} });
    } catch (thrown) {
      this.#volumes.delete(volume.mountpoint);
      await this.#store.delete(folder).catch(() => this.#rewriteLater(volume));
      throw thrown;
    }
    this.#emit(volume, "create");
    return volume;
  }

  async ready(mountpoint: string): Promise<void> {
    const volume = this.#volumes.get(mountpoint);
    if (volume === undefined)
      throw new EngineError("not-found", `no volume is at ${mountpoint}: create the container again`);
    if (Object.keys(volume.options).length > 0) await this.#make(volume);
  }

  async remove(volume: Volume, { inUse }: { readonly inUse: ReadonlySet<string> }): Promise<void> {
    if (inUse.has(volume.mountpoint)) throw new EngineError("conflict", `remove ${volume.name}: volume is in use`);
    await this.#drop(volume);
  }

  async prune(
    filters: Filters,
    inUse: ReadonlySet<string>,
    { anonymousOnly, viewer }: { readonly anonymousOnly: boolean; readonly viewer: Viewer },
  ): Promise<{ readonly deleted: readonly string[]; readonly spaceReclaimed: number }> {
    // dockerd never prunes a volume whose options mount something.
    const prunable = ({ mountpoint, anonymous, options }: Volume) =>
      !inUse.has(mountpoint) && (anonymous || !anonymousOnly) && Object.keys(options).length === 0;
    const unused = this.list(filters, inUse, viewer).filter(prunable);
    let spaceReclaimed = 0;
    for (const volume of unused) {
      spaceReclaimed += await this.#folders.size(volume.folder);
      await this.#drop(volume);
    }
    return { deleted: unused.map(({ name }) => name), spaceReclaimed };
  }

  size(volume: Volume): Promise<number> {
    return this.#folders.size(volume.folder);
  }

  diskUsage(volume: Volume): Promise<number> {
    return this.#folders.diskUsage(volume.folder);
  }

  #own(owner: string | undefined, name: string): Volume | undefined {
    return [...this.#volumes.values()].find((volume) => volume.owner === owner && volume.name === name);
  }

  /** A name cannot contain `@`, so no two owners share a folder; volumes older than owners keep the plain name. */
  #folderFor(owner: string | undefined, name: string): string {
    const folder = owner === undefined ? name : `${owner}@${name}`;
    return this.#volumes.has(this.#folders.path(folder)) ? `@${name}` : folder;
  }

  #add(row: VolumeRow): Volume {
    const volume: Volume = { ...row, driver: "local", mountpoint: this.#folders.path(row.folder) };
    this.#volumes.set(volume.mountpoint, volume);
    return volume;
  }

  #make({ folder, options }: Pick<Volume, "folder" | "options">): Promise<void> {
    return this.#folderLocks.hold(folder, () => this.#folders.make(folder, options));
  }

  #drop(volume: Volume): Promise<void> {
    const { folder, mountpoint } = volume;
    return this.#folderLocks.hold(folder, async () => {
      if (this.#volumes.get(mountpoint) !== volume) return;
      try {
        await this.#folders.setAside(folder);
        await this.#store.delete(folder);
      } catch (thrown) {
        // The connection may have been lost with the row deleted.
        if (isOutage(thrown)) this.#rewriteLater(volume);
        // Where this fails, the next start puts it back: the row is there.
        await this.#folders.putBack(folder).catch(() => {});
        throw thrown;
      }
      this.#volumes.delete(mountpoint);
      this.#emit(volume, "destroy");
      this.#discard(folder);
    });
  }

  /** Removes a folder in the background, however often that fails: the volume is gone. */
  #discard(folder: string): void {
    this.#folders.discard(folder).catch(() => setTimeout(() => this.#discard(folder), TRY_AGAIN_MS).unref());
  }

  /** Makes the row what memory has of the volume, as soon as it can be written. */
  #rewriteLater(volume: Volume): void {
    const rewrite = () =>
      this.#folderLocks.hold(volume.folder, async () => {
        const { driver: _, mountpoint, ...row } = volume;
        const now = this.#volumes.get(mountpoint);
        if (now === volume) await this.#store.insert(row);
        else if (now === undefined) await this.#store.delete(volume.folder);
      });
    setTimeout(() => rewrite().catch(() => this.#rewriteLater(volume)), TRY_AGAIN_MS).unref();
  }

  #emit({ name, owner }: Volume, action: "create" | "destroy"): void {
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
