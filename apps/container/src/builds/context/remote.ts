import { createReadStream } from "node:fs";
import { lstat, open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveFiles } from "../../containers/archive/files.ts";
import { EngineError } from "../../engine/errors.ts";
import { resolveInRoot } from "../../host/resolve-in-root.ts";
import { compressionOf } from "../../images/archive/compression.ts";
import { unpackContext } from "./context.ts";
import type { RemoteContext } from "./remote-url.ts";

/** The name under which a builder leaves a file that it fetched. */
export const FETCHED_FILE = "context";

const DOCKERFILE = "Dockerfile";
const TAR_MARK = { at: 257, text: "ustar" } as const;

/** Whether a file is an archive, by its first bytes; a Dockerfile otherwise, as dockerd decides by the type. */
async function isArchive(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(512);
    await file.read(head, 0, head.length, 0);
    const mark = head.subarray(TAR_MARK.at, TAR_MARK.at + TAR_MARK.text.length).toString();
    return compressionOf(head) !== "none" || mark === TAR_MARK.text;
  } finally {
    await file.close();
  }
}

/** A context that was fetched. */
export interface FetchedContext {
  readonly folder: string;
  /** The path of the Dockerfile that was fetched; undefined where the client says which of the folder's files it is. */
  readonly dockerfile?: string;
}

/**
 * Makes a context of what was fetched into `fetched`: the folder of a repository, or `context` with the file's content. Throws EngineError.
 */
export async function useFetched(
  files: Pick<ArchiveFiles, "write">,
  remote: RemoteContext,
  { fetched, context, left }: { readonly fetched: string; readonly context: string; readonly left: number },
): Promise<FetchedContext> {
  if (remote.kind === "git") {
    const folder = await resolveInRoot(fetched, remote.folder);
    if (
      await lstat(folder).then(
        (stat) => stat.isDirectory(),
        () => false,
      )
    )
      return { folder };
    throw new EngineError("invalid", `the repository has no folder ${JSON.stringify(remote.folder)}`);
  }
  const path = join(fetched, FETCHED_FILE);
  if (await isArchive(path)) {
    await unpackContext(files, context, { archive: createReadStream(path), left });
    return { folder: context };
  }
  await rename(path, join(context, DOCKERFILE));
  return { folder: context, dockerfile: DOCKERFILE };
}
