import { mkdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { ContainerSpec, SpecMount } from "../../../containers/records/runtime.ts";
import { EngineError, isEngineError } from "../../../engine/errors.ts";
import { PART_FAULTS } from "../../../host/part-faults.ts";
import { runProgram } from "../../../host/run-program.ts";
import { bindSourceMoved } from "../../../policy/mounts.ts";
import { clearMounts, unmountEach } from "./mount.ts";

type Bind = SpecMount & { readonly kind: "bind" };

const SHARED_MEMORY = "/dev/shm";

/** A spec whose exact sources are mounted where only the service can create links. */
export interface Pinned {
  readonly spec: ContainerSpec;
  /** What was thrown, with each source by the path that it was asked for by, where runc names the place that it took it from. */
  named(thrown: unknown): unknown;
  /** Takes the mounts away, which a container that was made of them does not need any more. */
  release(): Promise<void>;
}

export interface Pins {
  pin(spec: ContainerSpec): Promise<Pinned>;
}

/** One that tells the host of its mounts has to be a peer of its source, and cannot be mounted elsewhere first. */
function isPinned(mount: SpecMount): mount is Bind {
  return mount.kind === "bind" && mount.exact === true && !mount.propagation.endsWith("shared");
}

/** The process whose shared memory the container gets, since it joins its IPC namespace and mounts none of its own. */
function memoryOf({ namespaces: { ipc }, mounts }: ContainerSpec): string | undefined {
  if (ipc.kind !== "path" || mounts.some(({ target }) => target === SHARED_MEMORY)) return undefined;
  return /^\/proc\/(\d+)\/ns\/ipc$/.exec(ipc.path)?.[1];
}

/** Removes only the mount point: if it is still mounted, it contains a user's files. */
async function removePlace(path: string): Promise<void> {
  await rmdir(path).catch(() => unlink(path).catch(() => {}));
}

/**
 * runc opens a source by its path, some time after the check; a user who can write to a folder of the path could replace it with a link in
 * between. Therefore `program` opens the source without following links and bind-mounts it into `dir`, where runc finds it. So does it with
 * the shared memory of a container that another joins, which no path of the host leads to. Removes what a killed run left in `dir`.
 */
export async function openPins(dir: string, program: string): Promise<Pins> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await clearMounts(dir);
  return {
    pin: async (asked) => {
      const donor = memoryOf(asked);
      const memory: Bind = {
        kind: "bind",
        source: SHARED_MEMORY,
        target: SHARED_MEMORY,
        readonly: false,
        propagation: "rprivate",
        recursive: false,
        exact: true,
      };
      const spec = donor === undefined ? asked : { ...asked, mounts: [...asked.mounts, memory] };
      const places = new Map(
        spec.mounts.filter(isPinned).map((mount, index) => [mount, join(dir, `${spec.id}-${index}`)] as const),
      );
      const release = async () => {
        await unmountEach([...places.values()]);
        for (const place of places.values()) await removePlace(place);
      };
      const named = (thrown: unknown): unknown => {
        if (!isEngineError(thrown)) return thrown;
        // The last first: a place's name may begin with an earlier one's.
        for (const [{ source, subpath = "" }, place] of [...places].reverse())
          thrown.message = thrown.message.replaceAll(place, () => join(source, subpath));
        return thrown;
      };
      if (places.size === 0) return { spec, named, release };
      const from = (mount: Bind) => {
        if (mount === memory && donor !== undefined) return donor;
        return mount.propagation.endsWith("slave") ? "slave" : "private";
      };
      try {
        await runProgram(
          program,
          [...places].flatMap(([mount, place]) => [mount.source, mount.subpath ?? "", place, from(mount)]),
        );
      } catch (cause) {
        await release();
        throw refusal(cause);
      }
      const mounts = spec.mounts.map((mount) => {
        const source = places.get(mount as Bind);
        if (source === undefined) return mount;
        const { subpath: _, ...whole } = mount as Bind;
        return { ...whole, source };
      });
      return { spec: { ...spec, mounts }, named, release };
    },
  };
}

function refusal(cause: unknown): EngineError {
  const { code, stderr = "" } = cause as { readonly code?: unknown; readonly stderr?: string };
  const fault = PART_FAULTS.get(code);
  if (fault !== undefined) return new EngineError(fault, stderr, { cause });
  if (code === 3) return bindSourceMoved(stderr.replace(/: [^:]*$/, ""));
  return new EngineError("failed", `a source could not be mounted: ${stderr || "pin gave no answer"}`, { cause });
}
