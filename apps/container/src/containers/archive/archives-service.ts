import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import { assertStorageAllowed } from "../../policy/containers.ts";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import type { Archives, PathStat } from "./archives.ts";
import { listChanges } from "./changes.ts";
import { commitContainer } from "./commit.ts";
import type { ArchiveFiles, FileFacts } from "./files.ts";
import { ownerOf } from "./owner.ts";
import { baseOf, containerPath } from "./path.ts";
import { openIn, withBareView, withView } from "./view.ts";

const TYPE_BITS = 0o170000;
/** The type bits of Go's `os.FileMode` by stat(2) file type: directory 31, symlink 27, device 26, pipe 25, socket 24, char device 21. */
const GO_TYPES: ReadonlyMap<number, number> = new Map([
  [0o040000, 2 ** 31],
  [0o120000, 2 ** 27],
  [0o060000, 2 ** 26],
  [0o020000, 2 ** 26 + 2 ** 21],
  [0o010000, 2 ** 25],
  [0o140000, 2 ** 24],
]);

function goMode(mode: number): number {
  return (
    (GO_TYPES.get(mode & TYPE_BITS) ?? 0) +
    (mode & 0o4000 ? 2 ** 23 : 0) +
    (mode & 0o2000 ? 2 ** 22 : 0) +
    (mode & 0o1000 ? 2 ** 20 : 0) +
    (mode & 0o777)
  );
}

function pathStat(path: string, { mode, size, modifiedAt, linkTarget }: FileFacts): PathStat {
  return {
    name: baseOf(path),
    size,
    mode: goMode(mode),
    modifiedAt,
    linkTarget,
  };
}

/** Docker's error for a missing file. */
async function inWords<T>(path: string, ref: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!isEngineError(thrown, "not-found")) throw thrown;
    throw new EngineError("not-found", `Could not find the file ${path} in container ${ref}`, { cause: thrown });
  }
}

/** A container that is being removed no longer has files. */
function resolve({ registry }: Pick<Context, "registry">, actor: Actor, ref: string): Container {
  const container = registry.resolve(actor, ref);
  if (container.state.status === "removing" || container.state.status === "dead")
    throw new EngineError("conflict", `Container ${container.id} is marked for removal`);
  return container;
}

/** How many bytes the actor may write yet. Throws `forbidden` for a user over its quota, and `full` while the disk is. */
async function leftFor({ storage }: Pick<Context, "storage">, actor: Actor): Promise<number> {
  if (actor.kind === "administrator") return Number.POSITIVE_INFINITY;
  await storage.assertRoom();
  return assertStorageAllowed(actor, storage.of(actor.id));
}

/** The operations on a container's files: `docker cp`, `diff`, `export`, `commit` (API 1.41). */
export function createArchives(
  context: Pick<
    Context,
    "registry" | "locks" | "runtime" | "images" | "volumes" | "files" | "storage" | "events" | "supervisor" | "log"
  >,
  files: ArchiveFiles,
): Archives {
  return {
    stat: async (actor, ref, path) => {
      const container = resolve(context, actor, ref);
      const clean = containerPath(path);
      const facts = await inWords(path, ref, () =>
        withView(context, actor, container, "ro", (view) => files.stat(view, clean)),
      );
      return pathStat(clean, facts);
    },
    read: async (actor, ref, path) => {
      const container = resolve(context, actor, ref);
      const clean = containerPath(path);
      const base = baseOf(clean);
      const { facts, archive } = await inWords(path, ref, () =>
        openIn(
          (use) => withView(context, actor, container, "ro", use),
          (view) => files.read(view, clean, base === "/" ? "" : base),
        ),
      );
      containerEvent(context, container, "archive-path");
      return { stat: pathStat(clean, facts), archive };
    },
    write: async (actor, ref, path, archive, { keepKinds, copyOwners }) => {
      archive.on("error", () => {}); // The client may disconnect before the reader attaches; the reader then reports the error.
      const container = resolve(context, actor, ref);
      const clean = containerPath(path);
      const { ReadonlyRootfs, Privileged } = container.hostConfig;
      const left = await leftFor(context, actor);
      const access = ReadonlyRootfs ? "guarded" : "rw";
      if (container.owner !== undefined) context.storage.wrote(container.owner);
      await inWords(path, ref, () =>
        withView(context, actor, container, access, async (view) =>
          files.write(view, clean, archive, {
            keepKinds,
            devices: Privileged ? "made" : "refused",
            left,
            owner: copyOwners ? await ownerOf(files, view, container.config.User) : undefined,
          }),
        ),
      );
      containerEvent(context, container, "extract-to-dir");
    },
    changes: (actor, ref) => listChanges(context, files, resolve(context, actor, ref)),
    export: async (actor, ref) => {
      const container = resolve(context, actor, ref);
      const { archive } = await openIn(
        (use) => withBareView(context, container, use),
        (view) => files.export(view),
      );
      containerEvent(context, container, "export");
      return archive;
    },
    commit: (actor, ref, request) => commitContainer(context, actor, resolve(context, actor, ref), request),
  };
}
