import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, it } from "vitest";
import { findPortProcess, ProcessPorts } from "./process-ports.ts";

const CLOSE: (() => void)[] = [];
afterEach(() => {
  for (const close of CLOSE.splice(0)) close();
});

async function listening(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  CLOSE.push(() => server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function bound(host: string): Promise<number> {
  const socket = createSocket("udp4").bind(0, host);
  CLOSE.push(() => socket.close());
  await once(socket, "listening");
  return socket.address().port;
}

const SELF = {
  kind: "process",
  pid: process.pid,
  command: readFileSync("/proc/self/comm", "utf8").trim(),
};

it("lists what programs listen on, by number, with the program", async () => {
  const ports = new ProcessPorts();
  const [tcp, all, udp] = [await listening("127.0.0.1"), await listening("::"), await bound("127.0.0.2")];
  const found = await ports.list([]);
  for (const expected of [
    { hostIp: "127.0.0.1", hostPort: tcp, protocol: "tcp" },
    { hostIp: "::", hostPort: all, protocol: "tcp" },
    { hostIp: "127.0.0.2", hostPort: udp, protocol: "udp" },
  ])
    expect(found).toContainEqual({ ...expected, holder: SELF });
  const numbers = found.map(({ hostPort }) => hostPort);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

it("leaves out what is leased, and forgets what is closed", async () => {
  const ports = new ProcessPorts();
  const port = await listening("127.0.0.1");
  const own = { hostIp: "127.0.0.1", hostPort: port, protocol: "tcp" } as const;
  const has = async (...leases: readonly (typeof own)[]) =>
    (await ports.list(leases)).some(({ hostPort }) => hostPort === port);
  expect([await has(), await has(own), await has()]).toEqual([true, false, true]);
  for (const close of CLOSE.splice(0)) close();
  await expect.poll(() => has()).toBe(false);
});

it("glances at open files now and then, and keeps what it has found", async () => {
  const ports = new ProcessPorts();
  const holderOf = async (port: number) => (await ports.glance([])).find(({ hostPort }) => hostPort === port)?.holder;
  const first = await listening("127.0.0.1");
  expect(await holderOf(first)).toEqual(SELF);
  const second = await listening("127.0.0.1");
  expect(await holderOf(second)).toEqual({ kind: "process", pid: undefined, command: undefined });
  expect(await holderOf(first)).toEqual(SELF);
  await ports.list([]);
  expect(await holderOf(second)).toEqual(SELF);
});

it("finds the process of one port, and none where there is none", async () => {
  const port = await listening("127.0.0.1");
  expect(await findPortProcess("tcp", port)).toEqual(SELF);
  expect(await findPortProcess("sctp", port)).toEqual({ kind: "process", pid: undefined, command: undefined });
});
