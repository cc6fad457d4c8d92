import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { chunksOf } from "./chunks-of.ts";

it("gives the chunks as they came, to a slow reader too, and holds few of them", async () => {
  const chunks = Array.from({ length: 200 }, (_, at) => Buffer.alloc(10_000, at));
  let given = 0;
  const stream = Readable.from(
    (function* () {
      for (const chunk of chunks) {
        given++;
        yield chunk;
      }
    })(),
    { objectMode: false },
  );
  const taken: Uint8Array[] = [];
  for await (const chunk of chunksOf(stream)) {
    await new Promise(setImmediate);
    taken.push(chunk);
    expect(given - taken.length).toBeLessThan(80);
  }
  expect(taken.length).toBe(chunks.length);
  expect(Buffer.concat(taken).equals(Buffer.concat(chunks))).toBe(true);
});

it("joins small chunks that came together, and leaves large ones as they are", async () => {
  const large = Buffer.alloc(10_000, "l");
  const stream = new PassThrough({ highWaterMark: 1 << 20 });
  const chunks = chunksOf(stream);
  const first = chunks.next();
  for (const chunk of ["a", "b", large, "c", large, "d", "e"]) stream.write(chunk);
  stream.end();
  const taken = [(await first).value];
  for await (const chunk of chunks) taken.push(chunk);
  expect(Buffer.concat(taken as Uint8Array[]).toString()).toBe(`ab${large}c${large}de`);
  expect(taken.length).toBeLessThan(7);
  expect(taken.filter((chunk) => chunk?.length === large.length)).toHaveLength(2);
});

it("throws the stream's fault behind the chunks before it", async () => {
  const stream = new PassThrough();
  const chunks = chunksOf(stream);
  stream.write("a");
  expect(String((await chunks.next()).value)).toBe("a");
  stream.destroy(new Error("the client left"));
  await expect(chunks.next()).rejects.toThrow("the client left");
});

it("leaves the rest of a request's body to others, and the answer gets through", async () => {
  const rest: Promise<Buffer>[] = [];
  const server = createServer(async (incoming, response) => {
    for await (const _ of chunksOf(incoming)) break;
    response.end("enough");
    rest.push(buffer(incoming));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method: "PUT" });
  sent.end(Buffer.alloc(3_000_000));
  const [response] = await once(sent, "response");
  expect(String(await buffer(response))).toBe("enough");
  expect((await rest[0])?.length).toBeGreaterThan(0);
  server.close();
});

it("tells a request that was cut off from one that ended", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, method: "PUT", headers: { "content-length": 100 } }).on("error", () => {});
  sent.write("ten bytes.");
  const [incoming] = await once(server, "request");
  const chunks = chunksOf(incoming);
  expect(String((await chunks.next()).value)).toBe("ten bytes.");
  sent.destroy();
  await expect(chunks.next()).rejects.toMatchObject({ code: "ECONNRESET" });
  server.close();
});
