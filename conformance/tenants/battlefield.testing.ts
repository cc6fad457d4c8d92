import { connect, type Socket } from "node:net";
import type { Answer } from "../../scripts/ask.mjs";
import type { SeededRandom } from "./random.testing.ts";
import type { Tenant } from "./tenant.testing.ts";
import type { Limits } from "./truth.testing.ts";

/** What attacks work with. */
export interface Battlefield {
  readonly eve: Tenant;
  readonly random: SeededRandom;
  readonly limits: Limits;
  /** Another user's container. */
  readonly victim: string;
  /** A running container of eve's with a large log. */
  readonly own: string;
  /** Another of eve's, on a network of its own, with the program `/flood` (flood.c). */
  readonly flooder: string;
  /** Connections that stay open until the end, the oldest closed first. */
  readonly sockets: Set<Socket>;
}

/** One attack. Returns the answers that it got; `refused` are those that have to be a refusal. */
export type Attack = (
  field: Battlefield,
) => Promise<{ readonly answers: readonly Answer[]; readonly refused?: readonly Answer[] }>;

/** Below what one user may have open, or every other attack would get 429. */
const MOST_SOCKETS = 230;

/** A connection that sends bytes and reads nothing. */
export function leave(field: Battlefield, bytes: string | Buffer): void {
  const { hostname, port } = new URL(field.eve.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(bytes);
  field.sockets.add(socket);
  socket.once("close", () => field.sockets.delete(socket));
  const [oldest] = field.sockets;
  if (oldest === undefined || field.sockets.size <= MOST_SOCKETS) return;
  // At once: its end comes only when the attacker lets others run, and until then it would be the oldest again and again.
  field.sockets.delete(oldest);
  oldest.destroy();
}

export function head(field: Battlefield, method: string, path: string, ...headers: readonly string[]): string {
  const lines = [`${method} /v1.41${path} HTTP/1.1`, "Host: 127.0.0.1", `Authorization: Bearer ${field.eve.token}`];
  return [...lines, ...headers, "", ""].join("\r\n");
}

/** An exec in one of eve's containers, to its end. */
export async function execute(
  field: Battlefield,
  container: string,
  Cmd: readonly string[],
): Promise<readonly Answer[]> {
  const created = await field.eve.ask("POST", `/containers/${container}/exec`, { json: { Cmd, AttachStdout: true } });
  if (created.status !== 201) return [created];
  return [created, await field.eve.ask("POST", `/exec/${created.json.Id}/start`, { json: {}, timeout: 60_000 })];
}
