import { EngineError } from "../engine/errors.ts";
import { anyValue, type Filters, labelsPass, requireKnownFilters } from "../engine/filters.ts";
import { KeyedLock } from "../engine/keyed-lock.ts";
import { namePatterns } from "../engine/name-patterns.ts";
import type { EventSink } from "../events/events.ts";
import { validateVolumeName } from "./volume-name.ts";
import type { Volume, Volumes } from "./volumes.ts";

/** The rows of the volumes. */
export interface VolumeStore {
  load(): Promise<readonly Omit<Volume, "mountpoint" | "driver">[]>;
  insert(volume: Omit<Volume, "mountpoint" | "driver">): Promise<void>;
  delete(name: string): Promise<void>;
}

/** The directories behind the rows. */
export interface VolumeFolders {
  readonly path: (name: string) => string;
  /** Makes it; idempotent. `options` are the local driver's: a mount of type, device and o. */
  make(name: string, options: Readonly<Record<string, string>>): Promise<void>;
  /** Idempotent. */
  remove(name: string): Promise<void>;
  /** Bytes. */
  size(name: string): Promise<number>;
}

/** The local driver's: what is mounted at the volume's folder. */
const MOUNT_OPTIONS = ["type", "o", "device"];

/** Whether a volume passes. Throws `invalid` on a filter that Docker has not, whatever volumes there are. */
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

/** The local driver: a row and a directory for each volume. */
export async function createVolumes(
  store: VolumeStore,
  folders: VolumeFolders,
  outside: { readonly events: EventSink; readonly now: () => string },
): Promise<Volumes> {
  const whole = (row: Omit<Volume, "mountpoint" | "driver">): Volume => ({
    ...row,
    driver: "local",
    mountpoint: folders.path(row.name),
  });
  const volumes = new Map((await store.load()).map((row) => [row.name, whole(row)]));
  // Of two at once the second finds the mount of the first.
  const mounting = new KeyedLock<string>();
  const make = ({ name, options }: Pick<Volume, "name" | "options">) =>
    mounting.hold(name, () => folders.make(name, options));
  const tell = ({ name, owner }: Pick<Volume, "name" | "owner">, action: string) =>
    outside.events.emit({
      type: "volume",
      action,
      owner,
      actor: { id: name, attributes: { driver: "local" } },
    });
  const get = (name: string): Volume => {
    const found = volumes.get(name);
    if (!found) throw new EngineError("not-found", `get ${name}: no such volume`);
    return found;
  };
  const drop = async (volume: Volume): Promise<void> => {
    await folders.remove(volume.name);
    await store.delete(volume.name);
    volumes.delete(volume.name);
    tell(volume, "destroy");
  };
  return {
    get,
    find: (name) => volumes.get(name),
    mountpoint: folders.path,
    list: (filters, inUse) => [...volumes.values()].filter(filterOf(filters, inUse)),
    create: async ({ name, anonymous, owner, driver, options, labels }) => {
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
      const known = volumes.get(name);
      if (known) return known;
      const row = { name, createdAt: outside.now(), labels, options, anonymous, owner };
      volumes.set(name, whole(row));
      try {
        await store.insert(row);
        await make(row);
      } catch (thrown) {
        volumes.delete(name);
        await store.delete(name);
        throw thrown;
      }
      tell(row, "create");
      return whole(row);
    },
    ready: async (name) => {
      const volume = get(name);
      if (Object.keys(volume.options).length > 0) await make(volume);
    },
    remove: async (name, { force, inUse }) => {
      if (!volumes.has(name) && force) return;
      const volume = get(name);
      if (inUse.has(name)) throw new EngineError("conflict", `remove ${name}: volume is in use`);
      await drop(volume);
    },
    prune: async (filters, inUse, { anonymousOnly }) => {
      const passes = filterOf(filters, inUse);
      // One with options mounts what is someone else's: dockerd leaves it.
      const prunable = ({ name, anonymous, options }: Volume) =>
        !inUse.has(name) && (anonymous || !anonymousOnly) && Object.keys(options).length === 0;
      const unused = [...volumes.values()].filter((volume) => prunable(volume) && passes(volume));
      let spaceReclaimed = 0;
      for (const volume of unused) {
        spaceReclaimed += await folders.size(volume.name);
        await drop(volume);
      }
      return { deleted: unused.map(({ name }) => name), spaceReclaimed };
    },
    size: (name) => folders.size(get(name).name),
  };
}
