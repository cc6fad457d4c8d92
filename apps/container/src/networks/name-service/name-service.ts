import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { type IpFamily, ipFamily } from "@berth/port-spec";
import * as dns from "dns-packet";
import { isHostOnly } from "../../engine/host-addresses.ts";
import type { Log } from "../../engine/log.ts";
import { LimitBySender } from "./limit-by-sender.ts";

/** How the name service answers a query. */
export type NameAnswer =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "name"; readonly name: string }
  /** Forwards to the container's resolvers; empty if it has no route out. */
  | {
      readonly kind: "forward";
      readonly servers: readonly string[] | undefined;
      /** A user's servers are asked from the host's side, and must not be the host itself. */
      readonly networkScope: "everywhere" | "beyond-host";
    };

/** A listening name service. */
export interface NameService {
  readonly address: string;
  readonly listensAt: string;
  readonly udpPort: number;
  readonly tcpPort: number;
  close(): Promise<void>;
}

export interface NameServiceOptions {
  /** What containers ask: the gateway's address. */
  readonly address: string;
  /** The host's address that it listens at; the system picks the ports, because the host may run a name service at port 53. */
  readonly listensAt: string;
  answer(from: string, name: string, options: { readonly reverse: boolean }): NameAnswer;
  /** The host's own resolvers, in order. */
  resolvers(): Promise<readonly string[]>;
  readonly log: Log;
}

/** Short, so that clients notice a changed address soon; Docker's 600 outlives restarts. */
const TIME_TO_LIVE = 5;
const FORWARD_WITHIN_MS = 4_000;
const IDLE_WITHIN_MS = 10_000;
/** What one container may have open: it can send as fast as it likes, and a forwarded query holds a socket. */
const MOST_QUERIES = 128;
const MOST_CONNECTIONS = 16;

/** Opens the name service of one network, over UDP and TCP. */
export async function openNameService(options: NameServiceOptions): Promise<NameService> {
  const { address, listensAt, log } = options;
  const connections = new Set<Socket>();
  const connectionsOf = new LimitBySender(MOST_CONNECTIONS);
  const queriesOf = new LimitBySender(MOST_QUERIES);
  const handle = async (query: Buffer, from: string, transport: Transport): Promise<Buffer | undefined> => {
    if (!queriesOf.add(from)) return undefined;
    try {
      return await respond(query, from, transport, options);
    } catch (thrown) {
      log.warn({ err: thrown, from }, "a name query could not be answered");
      return undefined;
    } finally {
      queriesOf.remove(from);
    }
  };

  const udp = createSocket(ipFamily(listensAt) === "ipv4" ? "udp4" : "udp6");
  udp.on("message", (query, { address: from, port }) => {
    void handle(query, from, askUdp).then((response) => {
      if (response !== undefined) udp.send(response, port, from, () => undefined);
    });
  });
  const tcp = createServer((socket) => {
    const from = socket.remoteAddress ?? "";
    socket.on("error", () => undefined);
    if (!connectionsOf.add(from)) return void socket.destroy();
    connections.add(socket);
    socket.setTimeout(IDLE_WITHIN_MS, () => socket.destroy());
    socket.on("close", () => {
      connections.delete(socket);
      connectionsOf.remove(from);
    });
    eachMessage(socket, (query) => {
      void handle(query, from, askTcp).then((response) => {
        if (response !== undefined && socket.writable) socket.write(framed(response));
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    udp.once("error", reject);
    udp.bind({ address: listensAt, port: 0, exclusive: true }, () => resolve());
  });
  try {
    await new Promise<void>((resolve, reject) => {
      tcp.once("error", reject);
      tcp.listen({ host: listensAt, port: 0, exclusive: true }, () => resolve());
    });
  } catch (thrown) {
    udp.close();
    throw thrown;
  }
  udp.removeAllListeners("error").on("error", () => undefined);
  tcp.removeAllListeners("error").on("error", () => undefined);
  const tcpAddress = tcp.address();
  return {
    address,
    listensAt,
    udpPort: udp.address().port,
    tcpPort: typeof tcpAddress === "object" && tcpAddress !== null ? tcpAddress.port : 0,
    close: async () => {
      for (const socket of connections) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

type Transport = (server: string, query: Buffer) => Promise<Buffer>;

async function respond(
  bytes: Buffer,
  from: string,
  transport: Transport,
  { answer, resolvers }: NameServiceOptions,
): Promise<Buffer | undefined> {
  const query = decode(bytes);
  const [question] = query?.questions ?? [];
  // Not a query: send nothing, so that two servers cannot be made to answer each other.
  if (query === undefined || query.type !== "query" || question === undefined) return undefined;
  const reply = (answers: readonly dns.Answer[], code = 0): Buffer =>
    dns.encode({
      type: "response",
      id: query.id ?? 0,
      flags: dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE | code,
      questions: [question],
      answers: [...answers],
    });
  const found = answer(from, question.name, { reverse: question.type === "PTR" });
  switch (found.kind) {
    case "addresses":
      // Another type: the name exists without such records. A query for addresses of the other family must not be forwarded.
      return reply(addressRecords(question, found.addresses));
    case "name":
      return reply([{ type: "PTR", name: question.name, ttl: TIME_TO_LIVE, data: found.name }]);
    case "forward": {
      const asked = found.servers ?? (await resolvers());
      const servers =
        found.servers === undefined || found.networkScope === "everywhere"
          ? asked
          : beyondHost(asked, await resolvers());
      for (const server of servers) {
        const response = await transport(server, bytes).catch(() => undefined);
        if (response !== undefined) return response;
      }
      return reply([], SERVER_FAILURE);
    }
  }
}

function addressRecords({ type, name }: dns.Question, addresses: readonly string[]): readonly dns.Answer[] {
  const family = ADDRESS_RECORDS[type ?? ""];
  if (family === undefined) return [];
  const wanted = addresses.filter((address) => ipFamily(address) === family);
  return shuffled(wanted).map((data) => ({ type: family === "ipv4" ? "A" : "AAAA", name, ttl: TIME_TO_LIVE, data }));
}

const ADDRESS_RECORDS: Readonly<Record<string, IpFamily | undefined>> = { A: "ipv4", AAAA: "ipv6" };

/** Leaves out the servers that are this host, by any of its addresses, unless the host asks them itself. */
function beyondHost(servers: readonly string[], resolvers: readonly string[]): readonly string[] {
  const own = new Set(Object.values(networkInterfaces()).flatMap((some) => some?.map(({ address }) => address) ?? []));
  return servers.filter((server) => !isHostOnly(server) && (!own.has(server) || resolvers.includes(server)));
}

/** RFC 1035, 4.1.1. */
const SERVER_FAILURE = 2;

function decode(bytes: Buffer): dns.DecodedPacket | undefined {
  try {
    return dns.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Rotates the list at random, so that containers with one alias share the load. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

const askUdp: Transport = (server, query) =>
  new Promise((resolve, reject) => {
    const socket: UdpSocket = createSocket(server.includes(":") ? "udp6" : "udp4");
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      socket.close();
      outcome();
    };
    const timer = setTimeout(() => settle(() => reject(new Error(`no answer from ${server}`))), FORWARD_WITHIN_MS);
    socket.once("error", (error) => settle(() => reject(error)));
    // Connected, so that the kernel drops other senders' packets and reports a refusal at once.
    socket.connect(53, server, () => socket.send(query));
    socket.on("message", (response) => {
      if (response.subarray(0, 2).equals(query.subarray(0, 2))) settle(() => resolve(response));
    });
  });

const askTcp: Transport = (server, query) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: server, port: 53, timeout: FORWARD_WITHIN_MS });
    socket.on("timeout", () => socket.destroy(new Error(`no answer from ${server}`)));
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`${server} closed the connection`)));
    eachMessage(socket, (response) => {
      resolve(response);
      socket.destroy();
    });
    socket.write(framed(query));
  });

/** RFC 1035, 4.2.2: two bytes of length before each message. */
function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function eachMessage(socket: Socket, take: (message: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      take(pending.subarray(2, end));
      pending = pending.subarray(end);
    }
  });
}
