import { chmod, chown, rm } from "node:fs/promises";
import { connect, type Server } from "node:net";

/** Who may open a socket's file. */
export interface SocketFile {
  readonly path: string;
  readonly mode: number;
  /** The service's own user where absent. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** As long as the kernel takes (unix(7)); Node would cut a longer one off. */
const MOST_PATH_BYTES = 107;

/**
 * Lets the server listen on a socket's file, with the file's mode from its first moment on. Throws where a live server answers
 * there; a dead one's file is replaced.
 */
export async function listenOnSocket(server: Server, { path, mode, owner }: SocketFile): Promise<void> {
  if (Buffer.byteLength(path) > MOST_PATH_BYTES)
    throw new Error(
      `${path} is too long for a socket: at most ${MOST_PATH_BYTES} bytes, so choose a shorter BERTH_RUN`,
    );
  if (await answers(path)) throw new Error(`${path} is in use: another server answers there`);
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The file is made at once: nobody gets in between its making and its mode.
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

/** Whether a live server answers on the socket's path. */
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
