import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { EngineError } from "../../engine/errors.ts";

const DIAL_MS = 10_000;

/** Opens a connection of BuildKit's API to a Docker engine: HTTP/2 after an upgrade. Throws `unavailable`. */
export async function dialBuildKit(
  socketPath: string,
  path: "/grpc" | "/session",
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<Socket> {
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
  } catch (cause) {
    asking.destroy();
    throw new EngineError("unavailable", "the BuildKit that BERTH_BUILDKIT names does not answer", { cause });
  }
}

async function refused(asking: ReturnType<typeof request>): Promise<never> {
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  answer.resume();
  throw new Error(`status ${answer.statusCode} instead of an upgrade`);
}
