import type { Duplex } from "node:stream";
import { EngineError } from "../../engine/errors.ts";
import { dialDaemon, openDaemonSession } from "./daemon.ts";
import { dialEngine } from "./engine.ts";

/** Where a BuildKit is: the socket of a Docker engine or of a buildkitd, or the port of a buildkitd. */
export type BuildKitAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number };

/** Opens a connection for calls of BuildKit's API, by HTTP/2. Throws `unavailable`. */
export async function dialControl(address: BuildKitAddress): Promise<Duplex> {
  return await reaching(async () => {
    const engine = address.kind === "socket" ? await dialEngine(address.path, "/grpc", {}) : undefined;
    return engine ?? (await dialDaemon(address));
  });
}

/** Opens a connection for a client's session, by HTTP/2, in which BuildKit is the one that calls. Throws `unavailable`. */
export async function dialSession(
  address: BuildKitAddress,
  headers: Readonly<Record<string, readonly string[]>>,
): Promise<Duplex> {
  return await reaching(async () => {
    const engine = address.kind === "socket" ? await dialEngine(address.path, "/session", headers) : undefined;
    return engine ?? (await openDaemonSession(address, headers));
  });
}

async function reaching<T>(dial: () => Promise<T>): Promise<T> {
  try {
    return await dial();
  } catch (cause) {
    throw new EngineError("unavailable", "the BuildKit that BERTH_BUILDKIT names does not answer", { cause });
  }
}
