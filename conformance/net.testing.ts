import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
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
