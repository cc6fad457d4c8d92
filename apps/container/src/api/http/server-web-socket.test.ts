import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import type { Attachment, AttachOptions } from "../../containers/containers.ts";
import { EngineError } from "../../engine/errors.ts";
import { dial, engineHooks, headersOf, path, start } from "./server.testing.ts";

engineHooks();

/** Echoes its input, and writes a last line to the other stream when the input ends or `close` is called. */
function echo({ terminal = false } = {}) {
  const stdin = new PassThrough();
  const asked: AttachOptions[] = [];
  let closed = (): void => undefined;
  const closing = new Promise<void>((resolve) => {
    closed = resolve;
  });
  async function* output(): Attachment["output"] {
    for await (const chunk of stdin) yield [{ stream: "stdout", data: chunk as Buffer }];
    yield [{ stream: "stderr", data: Buffer.from("bye\n") }];
  }
  const close = () => {
    stdin.end();
    closed();
  };
  const attach = async (_actor: unknown, _ref: string, options: AttachOptions): Promise<Attachment> => {
    asked.push(options);
    return { terminal, output: output(), stdin, close };
  };
  return { fakes: { containers: { attach } }, stdin, asked, closing };
}

function open(target: string, options: ClientOptions = {}) {
  const socket = new WebSocket(`ws+unix://${path()}:${target}`, options);
  const got: { readonly data: Buffer; readonly binary: boolean }[] = [];
  socket.on("message", (data: Buffer, binary) => got.push({ data, binary }));
  const text = () => Buffer.concat(got.map(({ data }) => data)).toString();
  const until = async (wanted: string): Promise<void> => {
    while (!text().includes(wanted)) await once(socket, "message");
  };
  return { socket, got, text, until, opened: once(socket, "open"), closed: once(socket, "close") };
}

/** The status and body of a rejected handshake. */
async function refusal(target: string, options: ClientOptions = {}) {
  const socket = new WebSocket(`ws+unix://${path()}:${target}`, options);
  const [, response] = await once(socket, "unexpected-response");
  const body: Buffer[] = [];
  for await (const chunk of response) body.push(chunk);
  return { status: response.statusCode, body: Buffer.concat(body).toString() };
}

describe("attach by WebSocket", () => {
  it("moves bytes both ways without Docker's frames, and ends with the output", async () => {
    const { fakes, stdin } = echo();
    await start(fakes);
    const client = open("/v1.41/containers/a/attach/ws?stream=1&logs=1");
    await client.opened;
    client.socket.send("text ");
    client.socket.send(Buffer.from([0, 255, 10]));
    await client.until("text ");
    while (client.got.reduce((sum, { data }) => sum + data.length, 0) < 8) await once(client.socket, "message");
    stdin.end();
    const [code] = await client.closed;
    expect(code).toBe(1000);
    expect(Buffer.concat(client.got.map(({ data }) => data))).toEqual(Buffer.from("text \u0000\xff\nbye\n", "latin1"));
  });

  it.each([
    ["/v1.24", false],
    ["/v1.27", false],
    ["/v1.28", true],
    ["", true],
  ])("sends output at %s in binary messages: %s", async (version, binary) => {
    const { fakes, stdin } = echo();
    await start(fakes);
    const client = open(`${version}/containers/a/attach/ws?stream=1`);
    stdin.end("hi\n");
    await client.closed;
    expect(new Set(client.got.map((message) => message.binary))).toEqual(new Set([binary]));
    expect(client.text()).toBe("hi\nbye\n");
  });

  it("attaches all three streams, whatever the query selects", async () => {
    const { fakes, asked, stdin } = echo();
    await start(fakes);
    const client = open("/v1.41/containers/a/attach/ws?stream=1&stdout=1&stdin=0");
    stdin.end();
    await client.closed;
    expect(asked).toEqual([{ stdin: true, stdout: true, stderr: true, stream: true, logs: false }]);
  });

  it("detaches from a terminal with its detach keys", async () => {
    const { fakes } = echo({ terminal: true });
    await start(fakes);
    const client = open("/containers/a/attach/ws?stream=1&detachKeys=ctrl-a,d");
    await client.opened;
    client.socket.send("x\u0001d");
    const [code] = await client.closed;
    expect(code).toBe(1000);
    expect(client.text()).toBe("xbye\n");
  });

  it("accepts a message that arrives with the handshake", async () => {
    const { fakes, stdin } = echo();
    await start(fakes);
    const client = await dial();
    const handshake = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ];
    // Masked with zeros, which leaves the bytes unchanged.
    const message = Buffer.concat([Buffer.from([0x82, 0x82, 0, 0, 0, 0]), Buffer.from("hi")]);
    client.socket.write(
      Buffer.concat([Buffer.from(headersOf("GET", "/containers/a/attach/ws?stream=1", handshake)), message]),
    );
    expect(await client.until("\r\n\r\n")).toMatch(/^HTTP\/1.1 101 /);
    await client.until("hi");
    stdin.end();
    await client.until("bye\n");
    client.socket.destroy();
  });

  it.each([
    ["not-found", 404],
    ["conflict", 409],
  ] as const)("answers %s with %i before the upgrade", async (kind, status) => {
    const attach = async () => {
      throw new EngineError(kind, "no");
    };
    await start({ containers: { attach } });
    expect(await refusal("/containers/a/attach/ws?stream=1")).toEqual({ status, body: '{"message":"no"}\n' });
  });

  it("tells a plain request that the container is missing, as dockerd does", async () => {
    const assertMayAttach = () => {
      throw new EngineError("not-found", "No such container: a");
    };
    await start({ containers: { assertMayAttach } });
    const client = await dial();
    client.socket.write(headersOf("GET", "/containers/a/attach/ws", []));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 404 Not Found");
    client.socket.destroy();
  });

  it("attaches nothing for bad detach keys", async () => {
    const { fakes, closing } = echo({ terminal: true });
    await start(fakes);
    expect((await refusal("/containers/a/attach/ws?stream=1&detachKeys=ctrl-5")).status).toBe(400);
    await closing;
  });

  it.each([
    ["no upgrade", []],
    ["another upgrade", ["Connection: Upgrade", "Upgrade: tcp"]],
  ])("refuses a request with %s, and attaches nothing", async (_, headers) => {
    await start({});
    const client = await dial();
    client.socket.write(headersOf("GET", "/containers/a/attach/ws?stream=1", headers));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 400 Bad Request");
    await client.until("a WebSocket handshake is needed");
    client.socket.destroy();
  });

  it.each([
    ["no key", ["Sec-WebSocket-Version: 13"]],
    ["an unknown version", ["Sec-WebSocket-Version: 1", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]],
  ])("rejects a handshake with %s, and ends what it attached", async (_, headers) => {
    const { fakes, closing } = echo();
    await start(fakes);
    const client = await dial();
    const all = ["Connection: Upgrade", "Upgrade: websocket", ...headers];
    client.socket.write(headersOf("GET", "/containers/a/attach/ws?stream=1", all));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 400 Bad Request");
    client.socket.destroy();
    await closing;
  });

  it.each([
    ["http://evil.example", 403],
    ["null", 403],
    ["http://localhost:8080", 403],
  ])("rejects a page of %s", async (origin, status) => {
    await start({});
    expect((await refusal("/containers/a/attach/ws?stream=1", { origin })).status).toBe(status);
  });

  it("accepts the origin of clients that are not browsers: the called host", async () => {
    const { fakes, stdin } = echo();
    await start(fakes);
    const client = open("/containers/a/attach/ws?stream=1", { origin: "http://localhost" });
    stdin.end();
    expect((await client.closed)[0]).toBe(1000);
  });

  it("ends the session when the client vanishes", async () => {
    const { fakes, closing } = echo();
    await start(fakes);
    const client = open("/containers/a/attach/ws?stream=1");
    await client.opened;
    client.socket.terminate();
    await closing;
  });

  it("ends the session when the client closes", async () => {
    const { fakes, closing } = echo();
    await start(fakes);
    const client = open("/containers/a/attach/ws?stream=1");
    await client.opened;
    client.socket.close();
    await closing;
    await client.closed;
  });

  it("pauses for a client that does not read, and limits pong replies", async () => {
    let made = 0;
    async function* flood(): Attachment["output"] {
      while (made < 4096) {
        made += 1;
        yield [{ stream: "stdout", data: Buffer.alloc(65_536) }];
      }
    }
    let closed = (): void => undefined;
    const closing = new Promise<void>((resolve) => {
      closed = resolve;
    });
    await start({
      containers: { attach: async () => ({ terminal: true, output: flood(), stdin: undefined, close: closed }) },
    });
    const client = open("/containers/a/attach/ws?stream=1");
    await client.opened;
    client.socket.pause();
    for (let before = -1; made === 0 || before !== made; ) {
      before = made;
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    }
    expect(made).toBeLessThan(4096);
    const flooded = Array.from({ length: 2000 }, () => {
      return new Promise<void>((resolve) => client.socket.ping(Buffer.alloc(125), undefined, () => resolve()));
    });
    await Promise.all(flooded);
    client.socket.terminate();
    await closing;
  });

  it("stops reading input while the process accepts none", async () => {
    const { fakes, stdin, closing } = echo();
    // The process reads nothing.
    const attach = fakes.containers.attach;
    async function* silence(): Attachment["output"] {
      await closing;
      yield* [];
    }
    await start({
      containers: { attach: async (...asked) => ({ ...(await attach(...asked)), output: silence() }) },
    });
    const client = open("/containers/a/attach/ws?stream=1");
    await client.opened;
    let taken = 0;
    for (let count = 0; count < 512; count++) {
      client.socket.send(Buffer.alloc(65_536), () => {
        taken += 1;
      });
    }
    for (let before = -1; taken === 0 || before !== taken; ) {
      before = taken;
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    }
    expect(taken).toBeLessThan(512);
    expect(stdin.writableLength).toBeLessThan(1024 * 1024);
    // Once it reads again, it sees the end of the input.
    client.socket.terminate();
    stdin.resume();
    await closing;
  });
});
