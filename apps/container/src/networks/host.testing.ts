import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import type { Database } from "../db/database.ts";
import { containers } from "../db/schema.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import { viewerOf } from "../engine/owners.ts";
import { runCommand } from "./command.ts";
import { namespacePath } from "./namespace.ts";
import type { NetworkCreator } from "./networks.ts";

/** An administrator on the host's own socket. */
export const HOST_VIEWER = viewerOf(undefined);
export const HOST_CREATOR: NetworkCreator = { viewer: HOST_VIEWER, authorize: () => undefined };

let instances = 0;

/** A name for tables, bridges and namespaces that no other test run has; short, for a link's name has 15 characters. */
export function uniqueInstance(): string {
  return `t${process.pid.toString(36)}${(instances++).toString(36)}`;
}

/** A /24 of 10.64.0.0/10 that no interface of this machine is in, and other tests are unlikely to choose, by process. */
export function uniqueSubnet(): string {
  const taken = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  for (;;) {
    const slot = (process.pid * 64 + instances++) % 16_384;
    const network = `10.${64 + (slot >> 8)}.${slot & 255}.`;
    if (!taken.some((address) => address.startsWith(network))) return `${network}0/24`;
  }
}

/** An IPv6 subnet that other test runs are unlikely to have. */
export function uniqueSubnet6(): string {
  return `fd99:${(process.pid & 0xffff).toString(16)}:${(instances++).toString(16)}::/64`;
}

/** A host port that no other test run uses, below the dynamic range: 16 for each process. */
export function uniquePort(offset: number): number {
  return 10_000 + (process.pid % 1_300) * 16 + offset;
}

export function newContainerId(): ContainerId {
  return randomBytes(32).toString("hex") as ContainerId;
}

/** Writes the row that leases and sandboxes refer to. */
export async function insertContainer(db: Database, id: ContainerId, name: string, owner?: string): Promise<void> {
  const none = {} as never;
  await db.insert(containers).values({
    id,
    name,
    owner: owner ?? null,
    image: "busybox",
    imageId: "",
    layers: "",
    createdAt: new Date(0).toISOString(),
    config: none,
    hostConfig: none,
    endpoints: none,
    ports: none,
    mounts: none,
    state: none,
  });
}

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A program inside a namespace that answers every connection and datagram with its name, the sender's address and what it got. */
export interface Responder {
  stop(): Promise<void>;
}

const RESPONDER_PROGRAM = `
const [name, ...ports] = process.argv.slice(1);
const answer = (from, data) => name + " " + from.replace("::ffff:", "") + " " + data;
let waiting = ports.length * 2;
const ready = () => { if (--waiting === 0) console.log("ready"); };
for (const port of ports.map(Number)) {
  require("node:net").createServer({ allowHalfOpen: true }, (socket) => {
    const parts = [];
    socket.on("error", () => {});
    socket.on("data", (part) => parts.push(part));
    socket.on("end", () => socket.end(answer(socket.remoteAddress, Buffer.concat(parts))));
  }).listen(port, "::", ready);
  const udp = require("node:dgram").createSocket("udp6");
  udp.on("message", (data, from) => udp.send(answer(from.address, data), from.port, from.address));
  udp.bind(port, "::", ready);
}
`;

export function startResponder(namespace: string, name: string, ports: readonly number[]): Promise<Responder> {
  const child = spawn(
    "nsenter",
    [`--net=${namespacePath(namespace)}`, process.execPath, "-e", RESPONDER_PROGRAM, name, ...ports.map(String)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`responder ended with ${code}`)));
    child.stdout.once("data", () => resolve({ stop: () => ended(child) }));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("close", () => resolve());
    child.kill("SIGKILL");
  });
}

/** Sends `data`, ends its side, and gives all that comes back; rejects with the system's error. */
export function askTcp(host: string, port: number, data = "hello"): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", reject);
    socket.on("end", () => {
      socket.destroy();
      resolve(answer);
    });
    socket.end(data);
  });
}

/** Sends datagrams until one is answered. */
export function askUdp(host: string, port: number, data = "hello"): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    const again = setInterval(() => socket.send(data, port, host), 100);
    socket.on("error", () => undefined);
    const settle = (outcome: () => void) => {
      clearInterval(again);
      clearTimeout(patience);
      socket.close();
      outcome();
    };
    const patience = setTimeout(() => settle(() => reject(new Error("no answer"))), 5_000);
    socket.on("message", (answer) => settle(() => resolve(answer.toString())));
    socket.send(data, port, host);
  });
}

const ASK_UDP_PROGRAM = `
const [host, port] = process.argv.slice(1);
const socket = require("node:dgram").createSocket(host.includes(":") ? "udp6" : "udp4");
const again = setInterval(() => socket.send("hello", Number(port), host), 50);
setTimeout(() => process.exit(1), 5000);
socket.on("message", (answer) => { console.log(String(answer)); process.exit(0); });
`;

/** {@link askUdp}, from inside a namespace. */
export function askUdpFrom(namespace: string, host: string, port: number): Promise<string> {
  return inside(namespace, process.execPath, "-e", ASK_UDP_PROGRAM, host, String(port));
}

/** Runs a command inside a namespace; its output, or its failure's. */
export function inside(namespace: string, program: string, ...args: readonly string[]): Promise<string> {
  return runCommand("nsenter", [`--net=${namespacePath(namespace)}`, program, ...args]);
}
