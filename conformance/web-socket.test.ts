import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// Debian's docker-py 5.0 with websocket-client, which docker-compose brings along. It opens WebSockets over TCP alone.

const run = promisify(execFile);
const berth = sharedBerth();
let relay: Server | undefined;
let port = 0;

beforeAll(async () => {
  relay = createServer((client) => {
    const engine = connect(berth.socket);
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const)
      pipeline(from, to).catch(() => undefined);
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  ({ port } = relay.address() as AddressInfo);
});
afterAll(async () => {
  relay?.close();
  await removeContainers(berth);
});

test.each(["1.24", "1.41"])("docker-py attaches by WebSocket, API %s", async (version) => {
  const script = join(import.meta.dirname, "fixtures/attach-ws.py");
  const { stdout } = await run("/usr/bin/python3", [script, `tcp://127.0.0.1:${port}`, version]);
  expect(JSON.parse(stdout)).toEqual({
    output: ["", "err", "out"],
    input: "got typed\n",
    exit: 3,
    terminal: "echo\r\necho\r\n",
    left: "",
    running: true,
    missing: 404,
  });
});
