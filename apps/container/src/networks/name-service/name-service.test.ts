import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import * as dns from "dns-packet";
import { afterEach, expect, it } from "vitest";
import { SILENT } from "../host.testing.ts";
import { type NameAnswer, type NameService, openNameService } from "./name-service.ts";

/** Loopback addresses of this process alone, so that port 53 is free on them. */
function loopback(host: number) {
  return `127.${(process.pid >> 8) & 255}.${process.pid & 255}.${host}`;
}

const CLOSING: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of CLOSING.splice(0)) await close();
});

async function service(
  answer: (from: string, name: string, reverse: boolean) => NameAnswer,
  resolvers: readonly string[] = [],
): Promise<{ readonly names: NameService; readonly resolver: Resolver }> {
  const names = await openNameService({
    address: loopback(1),
    listensAt: loopback(1),
    answer: (from, name, { reverse }) => answer(from, name, reverse),
    resolvers: async () => resolvers,
    log: SILENT,
  });
  CLOSING.push(names.close);
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`${names.address}:${names.udpPort}`]);
  return { names, resolver };
}

/** A resolver at port 53 that says over UDP that the answer is too long, and gives it over TCP. */
async function startUpstream(address: string, options: { readonly truncates: boolean }): Promise<void> {
  const answer = (query: Buffer, flags: number): Buffer => {
    const { id = 0, questions = [] } = dns.decode(query);
    const name = questions[0]?.name ?? "";
    const answers: dns.Answer[] = flags === 0 ? [{ type: "A", name, ttl: 1, data: "198.51.100.7" }] : [];
    return dns.encode({ type: "response", id, flags: flags | dns.RECURSION_AVAILABLE, questions, answers });
  };
  const udp: Socket = createSocket("udp4");
  udp.on("message", (query, { port, address: from }) =>
    udp.send(answer(query, options.truncates ? dns.TRUNCATED_RESPONSE : 0), port, from),
  );
  await new Promise<void>((resolve) => udp.bind(53, address, resolve));
  const tcp: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const response = answer(bytes.subarray(2), 0);
      socket.end(Buffer.concat([Buffer.from([response.length >> 8, response.length & 255]), response]));
    });
  });
  await new Promise<void>((resolve) => tcp.listen(53, address, resolve));
  CLOSING.push(
    () => new Promise<void>((resolve) => udp.close(resolve)),
    () => new Promise((resolve) => tcp.close(resolve)),
  );
}

const FORWARD: NameAnswer = { kind: "forward", servers: undefined, networkScope: "everywhere" };

it("answers names with all their addresses, and no others' types", async () => {
  const { resolver } = await service(() => ({ kind: "addresses", addresses: ["10.0.0.2", "10.0.0.3"] }));
  expect((await resolver.resolve4("web")).sort()).toEqual(["10.0.0.2", "10.0.0.3"]);
  await expect(resolver.resolve6("web")).rejects.toMatchObject({ code: "ENODATA" });
});

it("answers addresses with their name, and knows who asks", async () => {
  const asked: string[] = [];
  const { resolver } = await service((from, name, reverse) => {
    asked.push(`${from} ${name} ${reverse}`);
    return { kind: "name", name: "web.front" };
  });
  expect(await resolver.reverse("10.0.0.2")).toEqual(["web.front"]);
  expect(asked).toEqual([`127.0.0.1 2.0.0.10.in-addr.arpa true`]);
});

it("sends other names on, past a resolver that is not there", async () => {
  await startUpstream(loopback(2), { truncates: false });
  const { resolver } = await service(() => FORWARD, [loopback(3), loopback(2)]);
  expect(await resolver.resolve4("example.test")).toEqual(["198.51.100.7"]);
});

it("asks whom the container asks, not whom the host asks", async () => {
  await startUpstream(loopback(2), { truncates: false });
  const { resolver } = await service(
    () => ({ kind: "forward", servers: [loopback(2)], networkScope: "everywhere" }),
    [loopback(3)],
  );
  expect(await resolver.resolve4("example.test")).toEqual(["198.51.100.7"]);
});

it("asks no address of this host for a user, unless the host asks it", async () => {
  await startUpstream(loopback(2), { truncates: false });
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address;
  const forward = (servers: readonly string[] | undefined): NameAnswer => ({
    kind: "forward",
    servers,
    networkScope: "beyond-host",
  });
  const { resolver } = await service(() => forward([loopback(2)]), [loopback(3)]);
  await expect(resolver.resolve4("example.test")).rejects.toMatchObject({ code: "ESERVFAIL" });
  if (own !== undefined) {
    await startUpstream(own, { truncates: false });
    const asks = (known: readonly string[]) => service(() => forward([own]), known);
    await expect((await asks([])).resolver.resolve4("example.test")).rejects.toMatchObject({ code: "ESERVFAIL" });
    expect(await (await asks([own])).resolver.resolve4("example.test")).toEqual(["198.51.100.7"]);
  }
  const { resolver: host } = await service(() => forward(undefined), [loopback(2)]);
  expect(await host.resolve4("example.test")).toEqual(["198.51.100.7"]);
});

it("says so where nobody answers", async () => {
  const { resolver } = await service(() => FORWARD, [loopback(3)]);
  await expect(resolver.resolve4("example.test")).rejects.toMatchObject({ code: "ESERVFAIL" });
});

it("carries over TCP what came over TCP", async () => {
  await startUpstream(loopback(2), { truncates: true });
  const { names } = await service(() => FORWARD, [loopback(2)]);
  const { connect } = await import("node:net");
  const query = dns.encode({ type: "query", id: 7, questions: [{ type: "A", name: "long.test" }] });
  const response = await new Promise<Buffer>((resolve, reject) => {
    const socket = connect({ host: names.address, port: names.tcpPort });
    socket.on("error", reject);
    socket.on("data", (bytes) => {
      socket.destroy();
      resolve(bytes.subarray(2));
    });
    // In two parts, as a network may cut it.
    socket.write(Buffer.from([query.length >> 8]));
    socket.write(Buffer.concat([Buffer.from([query.length & 255]), query]));
  });
  expect(dns.decode(response).answers).toMatchObject([{ data: "198.51.100.7" }]);
});

it("is silent to what is no question, and goes on", async () => {
  const { names, resolver } = await service(() => ({ kind: "addresses", addresses: ["10.0.0.2"] }));
  const client = createSocket("udp4");
  for (const junk of [Buffer.alloc(0), Buffer.from("junk"), Buffer.alloc(12), dns.encode({ type: "response", id: 1 })])
    client.send(junk, names.udpPort, names.address);
  expect(await resolver.resolve4("web")).toEqual(["10.0.0.2"]);
  client.close();
});

it("forwards at most 128 queries of one sender at a time, and still those of others", async () => {
  const asked: string[] = [];
  const upstream = createSocket("udp4").on("message", (query) =>
    asked.push(dns.decode(query).questions?.[0]?.name ?? ""),
  );
  await new Promise<void>((resolve) => upstream.bind(53, loopback(2), resolve));
  CLOSING.push(() => new Promise<void>((resolve) => upstream.close(resolve)));
  const { names } = await service(() => FORWARD, [loopback(2)]);
  const send = async (from: string, count: number) => {
    const socket = createSocket("udp4");
    await new Promise<void>((resolve) => socket.bind(0, from, resolve));
    CLOSING.push(() => new Promise<void>((resolve) => socket.close(resolve)));
    for (let at = 0; at < count; at++) {
      const query = dns.encode({ type: "query", id: at, questions: [{ type: "A", name: `n${at}.${from}` }] });
      await new Promise((resolve) => socket.send(query, names.udpPort, names.address, resolve));
    }
  };
  await send(loopback(3), 200);
  await send(loopback(4), 1);
  await expect.poll(() => asked).toContain(`n0.${loopback(4)}`);
  expect(asked.filter((name) => name.endsWith(loopback(3)))).toHaveLength(128);
});

it("keeps at most 16 connections of one sender, and takes those of others", async () => {
  const { names } = await service(() => FORWARD);
  const open = async (localAddress: string) => {
    const socket = connect({ host: names.address, port: names.tcpPort, localAddress });
    CLOSING.push(() => socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  const first = await Promise.all(Array.from({ length: 16 }, () => open(loopback(3))));
  await once((await open(loopback(3))).resume(), "close");
  const other = await open(loopback(4));
  other.write(Buffer.concat([Buffer.from([0, 12]), Buffer.alloc(12)]));
  first[0]?.destroy();
  await expect
    .poll(async () => {
      const again = await open(loopback(3));
      return Promise.race([once(again.resume(), "close").then(() => "closed"), pause(200, "kept")]);
    })
    .toBe("kept");
  expect(other.destroyed).toBe(false);
});
