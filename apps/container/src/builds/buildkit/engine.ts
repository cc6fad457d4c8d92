import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";

export const DIAL_MS = 10_000;

/** What llhttp calls an answer that is no HTTP/1.1. */
const NO_HTTP = /^HPE_/;

/**
 * Opens a connection of BuildKit's API to a Docker engine: HTTP/2 after an upgrade. Returns undefined where the socket is no engine's, as
 * that of a buildkitd, which speaks HTTP/2 from the start. Throws what keeps it from answering.
 */
export async function dialEngine(
  socketPath: string,
  path: "/grpc" | "/session",
  headers: Readonly<Record<string, string | readonly string[]>>,
): Promise<Socket | undefined> {
  const asking = request({
    socketPath,
    path,
    method: "POST",
    headers: { Host: "buildkit", ...headers, Connection: "Upgrade", Upgrade: "h2c" } as Record<string, string>,
    signal: AbortSignal.timeout(DIAL_MS),
  });
  asking.end();
  try {
    const [answer, socket, head] = (await Promise.race([once(asking, "upgrade"), refused(asking)])) as [
      IncomingMessage,
      Socket,
      Buffer,
    ];
    if (answer.statusCode !== 101) throw new Error(`status ${answer.statusCode}`);
    if (head.length > 0) socket.unshift(head);
    return socket;
  } catch (thrown) {
    asking.destroy();
    if (thrown instanceof Error && "code" in thrown && NO_HTTP.test(String(thrown.code))) return undefined;
    throw thrown;
  }
}

async function refused(asking: ReturnType<typeof request>): Promise<never> {
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  answer.resume();
  throw new Error(`status ${answer.statusCode} instead of an upgrade`);
}
