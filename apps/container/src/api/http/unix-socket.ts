import { chmod, chown, lstat, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";

/** Who may connect to a socket. */
export interface SocketFile {
  readonly path: string;
  readonly mode: number;
  /** Defaults to the service's own user. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** The kernel's limit (unix(7)); Node would truncate a longer path. */
const MOST_PATH_BYTES = 107;

/**
 * Makes the server listen on a unix socket that has its mode from the start. Throws if a live server listens there; replaces the file of
 * a dead one, and no file of another kind.
 */
export async function listenOnSocket(server: Server, { path, mode, owner }: SocketFile): Promise<void> {
  if (Buffer.byteLength(path) > MOST_PATH_BYTES)
    throw new Error(
      `${path} is too long for a socket: at most ${MOST_PATH_BYTES} bytes, so choose a shorter BERTH_RUN`,
    );
  if (await answers(path)) throw new Error(`${path} is in use: another server answers there`);
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() === false)
    throw new Error(`${path} is a file and no socket: choose another path for the socket`);
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The file is created synchronously: nobody can connect before its mode is set.
    const umask = process.umask(0o177);
    server.listen({ path }, () => {
      server.off("error", reject);
      resolve();
    });
    process.umask(umask);
  });
  if (owner !== undefined) await chown(path, owner.uid, owner.gid);
  await chmod(path, mode);
}

/** Whether a live server listens on the socket's path. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });
}
