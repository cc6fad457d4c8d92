import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { pump } from "./pump.ts";

it("treats a client's reset as an end", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  const accepted = once(server, "connection");
  const client = connect(port, "127.0.0.1");
  const [socket] = (await accepted) as [Socket];
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* output() {
    yield Buffer.from("a");
    await over;
  }
  const pumped = pump(socket, { output: output(), stdin: undefined, filter: undefined, close: end });
  await once(client, "data");
  client.resetAndDestroy();
  await pumped;
  server.close();
  await once(server, "close");
  expect(socket.destroyed).toBe(true);
});
