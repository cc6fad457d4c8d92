import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Where shims have their sockets; only root enters it. */
const SOCKETS = "/run/containerd/s";

/** A namespace of the containerd that listens on `socket`: that path is what it tells its shims. */
export interface ShimsOf {
  readonly socket: string;
  readonly namespace: string;
}

/**
 * The paths where the shim of a container may have its socket: as `native/containerd-shim-berth-v2.c` names it (`name_socket`), and as
 * containerd's own does (`SocketAddress` in its runtime/v2/shim).
 */
export function socketsOf(id: string, shims: ShimsOf): readonly string[] {
  const plain = createHash("sha256")
    .update(join(shims.socket, shims.namespace, id))
    .digest("hex");
  return [join(SOCKETS, id + suffixOf(shims)), join(SOCKETS, plain)];
}

/** Removes the socket of a container that has no shim any more: a shim that was killed leaves it. */
export async function clearSockets(id: string, shims: ShimsOf): Promise<void> {
  await Promise.all(socketsOf(id, shims).map((path) => rm(path, { force: true })));
}

/** Removes the sockets of Berth's shims of a namespace in which nothing runs any more. */
export async function clearAllSockets(shims: ShimsOf): Promise<void> {
  const names = await readdir(SOCKETS).catch(() => []);
  const left = names.filter((name) => name.endsWith(suffixOf(shims)));
  await Promise.all(left.map((name) => rm(join(SOCKETS, name), { force: true })));
}

/** The end of their names: FNV-1a, 64 bits, of both words, each with a zero after it. */
function suffixOf({ socket, namespace }: ShimsOf): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(`${socket}\0${namespace}\0`))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return `-${hash.toString(16).padStart(16, "0")}`;
}
