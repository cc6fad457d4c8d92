import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import type { PortAssignment } from "@berth/port-spec";
import { proxyTcp, type Target } from "./tcp-proxy.ts";
import { createUdpProxy } from "./udp-proxy.ts";

/**
 * A listening socket that reserves a host port. nftables redirects most packets before they reach it; what it cannot redirect arrives here
 * and is proxied: IPv6 to a container that has IPv4 alone, the reverse, and connections to `::1`.
 */
export interface HeldPort {
  /** Forwards to the container's port, or refuses connections if undefined. Ends open connections. */
  lead(target: Target | undefined): void;
  /** Settles when the port is free. */
  close(): Promise<void>;
}

/**
 * How many connections this process proxies, over all ports. A port may have as many as are free yet: however many come to one, there are
 * some left for the others.
 */
const MOST_CONNECTIONS = 8_192;
let proxied = 0;

/** Binds the port of an assignment; rejects with the system's error (`EADDRINUSE`, `EADDRNOTAVAIL`, …). */
export function holdPort(assignment: PortAssignment): Promise<HeldPort> {
  return HOLD[assignment.protocol](assignment);
}

function holdTcp({ hostIp, hostPort }: PortAssignment): Promise<HeldPort> {
  let target: Target | undefined;
  const connections = new Map<symbol, () => void>();
  const endAll = () => {
    for (const end of connections.values()) end();
  };
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    if (target === undefined || connections.size >= MOST_CONNECTIONS - proxied) {
      client.on("error", () => undefined).resetAndDestroy();
      return;
    }
    const key = Symbol();
    proxied += 1;
    connections.set(key, proxyTcp(client, target));
    client.once("close", () => {
      proxied -= 1;
      connections.delete(key);
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: hostIp, port: hostPort, exclusive: true, ipv6Only: hostIp.includes(":") }, () => {
      server.off("error", reject);
      // Accepting fails when file descriptors run out; the port stays reserved.
      server.on("error", () => undefined);
      resolve({
        lead: (next) => {
          target = next;
          endAll();
        },
        close: () =>
          new Promise((settle) => {
            target = undefined;
            server.close(() => settle());
            endAll();
          }),
      });
    });
  });
}

function holdUdp({ hostIp, hostPort }: PortAssignment): Promise<HeldPort> {
  const ipv6 = hostIp.includes(":");
  let target: Target | undefined;
  const socket = createSocket({ type: ipv6 ? "udp6" : "udp4", ipv6Only: ipv6 });
  const proxy = createUdpProxy(socket);
  socket.on("message", (message, from) => {
    if (target !== undefined) proxy.forward(message, from, target);
  });
  return new Promise((resolve, reject) => {
    socket.once("error", (error) => {
      socket.close();
      reject(error);
    });
    socket.bind({ address: hostIp, port: hostPort, exclusive: true }, () => {
      socket.removeAllListeners("error").on("error", () => undefined);
      resolve({
        lead: (next) => {
          target = next;
          proxy.reset();
        },
        close: () =>
          new Promise((settle) => {
            target = undefined;
            proxy.reset();
            socket.close(() => settle());
          }),
      });
    });
  });
}

/** Node has no SCTP sockets: the row reserves the port against other containers, and nothing against other programs. */
function holdSctp(): Promise<HeldPort> {
  return Promise.resolve({ lead: () => undefined, close: () => Promise.resolve() });
}

const HOLD = { tcp: holdTcp, udp: holdUdp, sctp: holdSctp } as const;

/** Whether this host has IPv6: whether `::` can be bound. */
export function hasIPv6(): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host: "::", port: 0, exclusive: true, ipv6Only: true }, () => probe.close(() => resolve(true)));
  });
}
