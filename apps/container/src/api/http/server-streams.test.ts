import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Attachment } from "../../containers/containers.ts";
import type { ExecSession } from "../../containers/records/runtime.ts";
import { EngineError } from "../../engine/errors.ts";
import { RUNNING } from "../routes/app.testing.ts";
import { demultiplex } from "./raw-stream.testing.ts";
import { dial, ENGINE, EXEC, engineHooks, headersOf, path, start, UPGRADE } from "./server.testing.ts";

engineHooks();

/** `cat; echo done`: echoes its input, and prints a last line when the input ends. */
function catLike({ terminal = false } = {}) {
  const stdin = new PassThrough();
  const closed = { count: 0 };
  async function* output(): ExecSession["output"] {
    for await (const chunk of stdin) yield [{ stream: "stdout", data: chunk as Buffer }];
    yield [{ stream: "stderr", data: Buffer.from("bye\n") }];
    yield [{ stream: "stdout", data: Buffer.from("done\n") }];
  }
  const close = () => {
    closed.count += 1;
    stdin.destroy();
  };
  const attachment: Attachment = { terminal, output: output(), stdin, close };
  const session: ExecSession = {
    pid: 1,
    stdin,
    output: output(),
    resize: async () => undefined,
    kill: async () => undefined,
    exit: Promise.resolve({ exitCode: 0 }),
    detach: close,
  };
  return { attachment, session, closed };
}

describe("attach", () => {
  it.each([
    ["upgraded", UPGRADE, "HTTP/1.1 101 UPGRADED\r\n"],
    ["as an ordinary POST", [], "HTTP/1.1 200 OK\r\n"],
  ])("%s: both ways, half-close ends stdin alone", async (_, headers, line) => {
    const { attachment, closed } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/v1.41/containers/a/attach?stream=1&stdin=1&stdout=1&stderr=1", headers));
    const head = await client.until("\r\n\r\n");
    expect(head.startsWith(line)).toBe(true);
    expect(head).toContain("Content-Type: application/vnd.docker.raw-stream");
    expect(head).toContain("Api-Version: 1.51");
    client.socket.write("hi\n");
    await client.until("hi\n");
    client.socket.end();
    expect(demultiplex([await client.rest()])).toEqual({ 1: "done\n", 2: "bye\n" });
    expect(closed.count).toBeGreaterThan(0);
  });

  it("accepts input right after the upgrade request", async () => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.end(`${headersOf("POST", "/containers/a/attach?stream=1&stdin=1&stdout=1", UPGRADE)}early\n`);
    await client.until("\r\n\r\n");
    expect(demultiplex([await client.rest()])[1]).toBe("early\ndone\n");
  });

  it("upgrades a request that announces chunks and sends none", async () => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    const headers = [...UPGRADE, "Transfer-Encoding: chunked"].join("\r\n");
    client.socket.write(
      `POST /containers/a/attach?stream=1&stdin=1&stdout=1 HTTP/1.1\r\nHost: docker\r\n${headers}\r\n\r\n`,
    );
    expect(await client.until("\r\n\r\n")).toContain("101 UPGRADED");
    client.socket.end("raw\n");
    expect(demultiplex([await client.rest()])[1]).toBe("raw\ndone\n");
  });

  it("takes the end of the chunks that an upgrade announces for no input", async () => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    const headers = [...UPGRADE, "Transfer-Encoding: chunked"].join("\r\n");
    client.socket.write(
      `POST /containers/a/attach?stream=1&stdin=1&stdout=1 HTTP/1.1\r\nHost: docker\r\n${headers}\r\n\r\n0\r\n\r\n`,
    );
    expect(await client.until("\r\n\r\n")).toContain("101 UPGRADED");
    client.socket.end("raw\n");
    expect(demultiplex([await client.rest()])[1]).toBe("raw\ndone\n");
  });

  it.each([UPGRADE, []])("takes a body of options for what it is, no input: %j", async (...headers) => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    const options = '{"stream":true,"stdin":true}';
    client.socket.write(headersOf("POST", "/containers/a/attach?stream=1&stdin=1&stdout=1", headers, options));
    await client.until("\r\n\r\n");
    client.socket.end("raw\n");
    expect(demultiplex([await client.rest()])[1]).toBe("raw\ndone\n");
  });

  it("treats only bytes after a body with a length as input, however late the body arrives", async () => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    const request = headersOf("POST", "/containers/a/attach?stream=1&stdin=1&stdout=1", [], '{"stream":true}');
    client.socket.write(request.slice(0, -5));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    client.socket.write(request.slice(-5));
    await client.until("\r\n\r\n");
    client.socket.end("hi\n");
    expect(demultiplex([await client.rest()])[1]).toBe("hi\ndone\n");
  });

  it("accepts input as a chunked body, and answers in HTTP", async () => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.write(
      "POST /containers/a/attach?stream=1&stdin=1&stdout=1 HTTP/1.1\r\nHost: docker\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 200 OK");
    client.socket.write("3\r\nhi\n\r\n");
    await client.until("hi\n");
    client.socket.write("0\r\n\r\n");
    await client.until("done\n");
  });

  it("detaches from a terminal with its detach keys, raw and without frames", async () => {
    const { attachment, closed } = catLike({ terminal: true });
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.write(
      headersOf("POST", "/containers/a/attach?stream=1&stdin=1&stdout=1&detachKeys=ctrl-a,d", UPGRADE),
    );
    await client.until("\r\n\r\n");
    client.socket.write("a\u0001xb");
    expect(await client.until("a\u0001xb")).toBe("a\u0001xb");
    client.socket.write("\u0001d");
    client.socket.end();
    await client.rest();
    expect(closed.count).toBeGreaterThan(0);
  });

  it.each([
    ["upgraded", UPGRADE],
    ["ordinary", []],
  ])("reports a failure in HTTP, %s", async (_, headers) => {
    const fails = async () => {
      throw new EngineError("not-found", "No such container: a");
    };
    await start({ containers: { attach: fails } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/containers/a/attach?stream=1", headers));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 404 Not Found");
    await client.until('{"message":"No such container: a"}\n');
  });

  it("ends the session when the client vanishes", async () => {
    const { attachment } = catLike();
    const closing = new Promise<void>((resolve) => {
      Object.assign(attachment, { close: resolve });
    });
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/containers/a/attach?stream=1&stdout=1&stdin=1", UPGRADE));
    await client.until("\r\n\r\n");
    client.socket.destroy();
    await closing;
  });

  it("pauses for a client that does not read, with bounded memory and without blocking others", async () => {
    let made = 0;
    async function* flood(): ExecSession["output"] {
      while (made < 4096) {
        made += 1;
        yield [{ stream: "stdout", data: Buffer.alloc(65_536) }];
      }
    }
    const closing = new Promise<void>((resolve) => {
      const close = () => resolve();
      void start({
        containers: {
          attach: async () => ({ terminal: true, output: flood(), stdin: undefined, close }),
          get: async () => RUNNING,
        },
      });
    });
    while (ENGINE.listening === undefined) await new Promise(setImmediate);
    const slow = connect({ path: path() });
    slow.on("error", () => undefined);
    slow.pause();
    slow.write(headersOf("POST", "/containers/a/attach?stream=1&stdout=1", UPGRADE));
    const other = await dial();
    other.socket.write(headersOf("GET", "/containers/a/json"));
    await other.until('"Name":"/web"');
    // Blocks once the socket's buffers are full.
    for (let before = -1; made === 0 || before !== made; ) {
      before = made;
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    }
    expect(made).toBeLessThan(4096);
    slow.destroy();
    await closing;
  });
});

describe("exec start", () => {
  const body = JSON.stringify({ Detach: false, Tty: false });
  const json = ["Content-Type: application/json"];
  it.each([
    ["upgraded", [...UPGRADE, ...json], "HTTP/1.1 101 UPGRADED"],
    ["as an ordinary POST", json, "HTTP/1.1 200 OK"],
  ])("%s", async (_, headers, line) => {
    const { session } = catLike();
    await start({ containers: { getExec: async () => EXEC, startExec: async () => ({ begin: async () => session }) } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/exec/e1/start", headers, body));
    expect(await client.until("\r\n\r\n")).toContain(line);
    client.socket.write("hi\n");
    await client.until("hi\n");
    client.socket.end();
    expect(demultiplex([await client.rest()])).toEqual({ 1: "done\n", 2: "bye\n" });
  });

  it("reads a late body and treats what follows as input", async () => {
    const { session } = catLike();
    await start({ containers: { getExec: async () => EXEC, startExec: async () => ({ begin: async () => session }) } });
    const client = await dial();
    const request = headersOf("POST", "/exec/e1/start", [...UPGRADE, ...json], body);
    client.socket.write(request.slice(0, -5));
    await new Promise(setImmediate);
    client.socket.end(`${request.slice(-5)}early\n`);
    await client.until("\r\n\r\n");
    expect(demultiplex([await client.rest()])[1]).toBe("early\ndone\n");
  });

  it("rejects an upgrade request with a length and chunks", async () => {
    await start({});
    const client = await dial();
    client.socket.write(headersOf("POST", "/exec/e1/start", [...UPGRADE, ...json, "Transfer-Encoding: chunked"], body));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 400 Bad Request");
  });

  it("reports a command that cannot run in the stream", async () => {
    const begin = async () => {
      throw new EngineError("invalid", "OCI runtime exec failed");
    };
    await start({ containers: { getExec: async () => EXEC, startExec: async () => ({ begin }) } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/exec/e1/start", [...UPGRADE, ...json], body));
    expect(await client.until("\r\n\r\n")).toContain("101 UPGRADED");
    expect(demultiplex([await client.rest()])[1]).toBe("OCI runtime exec failed\r\n");
  });

  it.each([
    ["conflict", 409],
    ["not-found", 404],
  ] as const)("answers %s with %i", async (kind, status) => {
    const fails = async () => {
      throw new EngineError(kind, "no");
    };
    await start({ containers: { getExec: async () => EXEC, startExec: fails } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/exec/e1/start", [...UPGRADE, ...json], body));
    expect(await client.until("\r\n\r\n")).toContain(`HTTP/1.1 ${status}`);
  });
});
