import { execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../scripts/ask.mjs";

/** Settles with the page's text once the URL answers 200; a web server in a container needs a moment after its start. */
export async function page(url: string): Promise<string> {
  const end = performance.now() + 20_000;
  for (;;) {
    const answer = await ask(url, { timeout: 2000 }).catch((thrown: Error) => thrown);
    if (!(answer instanceof Error) && answer.status === 200) return answer.text;
    if (performance.now() > end)
      throw new Error(`${url} does not answer: ${answer instanceof Error ? answer.message : answer.status}`);
    await pause(20);
  }
}

/** Whether anything accepts a TCP connection there and answers HTTP. */
export async function answers(url: string): Promise<boolean> {
  return ask(url, { timeout: 2000 }).then(
    () => true,
    () => false,
  );
}

/** Sends a datagram until it is echoed: UDP may lose one before the server in the container is up. */
export async function echoed(port: number, text: string, host = "127.0.0.1"): Promise<string> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  const again = setInterval(() => socket.send(text, port, host), 50);
  socket.on("error", () => undefined);
  try {
    const [message] = await once(socket, "message", { signal: AbortSignal.timeout(20_000) });
    return String(message);
  } finally {
    clearInterval(again);
    socket.close();
  }
}

/** Another program that holds a TCP port of this machine. */
export async function foreignListener(
  host: string,
  port = 0,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((connection) => connection.destroy()).listen({ port, host, exclusive: true });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has an address");
  return {
    port: address.port,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

/** Sends a text to a port every 50 ms from one port of its own, and prints what comes back. */
const SENDER = `
  const socket = require("node:dgram").createSocket("udp4");
  socket.on("message", (message) => console.log(String(message)));
  socket.on("error", () => {});
  socket.bind(40777, () => setInterval(() => socket.send(process.argv[2], Number(process.argv[3]), process.argv[1], (fault) => {
    if (!fault) console.log("sent");
  }), 50));`;

/** Another machine, as a network namespace beside the host's, whose one program goes on sending a datagram to a port of this host. */
export async function udpClientElsewhere(port: number, text: string) {
  const name = `bt${process.pid.toString(36)}`;
  const [host, address] = ["198.51.100.1", "198.51.100.2"];
  const ip = (...args: string[]) => execFileSync("ip", args);
  ip("netns", "add", name);
  ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
  ip("address", "add", `${host}/30`, "dev", name);
  ip("link", "set", name, "up");
  ip("-n", name, "address", "add", `${address}/30`, "dev", "eth0");
  ip("-n", name, "link", "set", "eth0", "up");
  const command = ["netns", "exec", name, process.execPath, "-e", SENDER, host, text, String(port)];
  const sender = spawn("ip", command, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: sender.stdout });
  const hears = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(() => reject(new Error(`no ${wanted} came back`)), 20_000);
      lines.on("line", (line) => {
        if (line !== wanted) return;
        clearTimeout(deadline);
        resolve();
      });
    });
  return {
    address,
    hears,
    sent: () => hears("sent"),
    async [Symbol.asyncDispose]() {
      sender.kill();
      await once(sender, "close");
      ip("netns", "del", name);
    },
  };
}
