import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import type { Target } from "./tcp-proxy.ts";

/** The kernel's own timeout for a UDP flow in both directions. */
const IDLE_MS = 120_000;
/** Bounds memory: one client more evicts the one that has been silent longest. */
const MOST_CLIENTS = 1_024;

interface Client {
  readonly upstream: Socket;
  readonly timer: NodeJS.Timeout;
}

/** Proxies datagrams between the clients of one port and its target. */
export interface UdpProxy {
  forward(message: Buffer, from: RemoteInfo, target: Target): void;
  /** Forgets every client. */
  reset(): void;
}

/** @param port the socket that clients send to; answers leave through it. */
export function createUdpProxy(port: Socket): UdpProxy {
  // Ordered by last use: the first is evicted next.
  const clients = new Map<string, Client>();

  const drop = (key: string, { upstream, timer }: Client) => {
    if (clients.get(key)?.upstream === upstream) clients.delete(key);
    clearTimeout(timer);
    upstream.removeAllListeners("message");
    upstream.close();
  };

  const admit = (key: string, from: RemoteInfo, target: Target): Client => {
    const eldest = clients.size >= MOST_CLIENTS ? clients.entries().next().value : undefined;
    if (eldest !== undefined) drop(...eldest);
    const upstream = createSocket(target.address.includes(":") ? "udp6" : "udp4");
    const client: Client = { upstream, timer: setTimeout(() => drop(key, client), IDLE_MS) };
    client.timer.unref();
    upstream.on("message", (answer, { address, port: source }) => {
      if (address !== target.address || source !== target.port) return;
      client.timer.refresh();
      port.send(answer, from.port, from.address);
    });
    // Datagrams may get lost, also those to a target that refuses them.
    upstream.on("error", () => undefined);
    return client;
  };

  return {
    forward: (message, from, target) => {
      const key = `${from.address} ${from.port}`;
      const client = clients.get(key) ?? admit(key, from, target);
      clients.delete(key);
      clients.set(key, client);
      client.timer.refresh();
      client.upstream.send(message, target.port, target.address);
    },
    reset: () => {
      for (const [key, client] of clients) drop(key, client);
    },
  };
}
