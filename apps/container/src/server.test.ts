import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attachment } from "./containers/containers.ts";
import type { ExecSession } from "./containers/runtime.ts";
import { EngineError } from "./errors.ts";
import { createJournal } from "./events/journal.ts";
import { appWith, containerId, type Fakes, running } from "./routes/app.testing.ts";
import { type Listening, serve } from "./server.ts";
import { demultiplex } from "./wire/raw-stream.testing.ts";

let folder: string;
let listening: Listening | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-server-"));
});

afterEach(async () => {
  await listening?.close({ graceMilliseconds: 0 });
  listening = undefined;
  await rm(folder, { recursive: true });
});

const path = () => join(folder, "engine.sock");

const start = async (fakes: Fakes) => {
  const made = appWith(fakes);
  listening = await serve(made.app, {
    kind: "unix",
    path: path(),
    mode: 0o660,
    actor: { kind: "administrator", id: undefined, login: "root" },
  });
  return made;
};

/** A raw connection that gathers what it gets. */
const dial = async (): Promise<{
  socket: Socket;
  until: (text: string) => Promise<string>;
  rest: () => Promise<Buffer>;
}> => {
  const socket = connect({ path: path(), allowHalfOpen: true });
  await once(socket, "connect");
  let got = Buffer.alloc(0);
  let ended = false;
  socket.on("data", (chunk: Buffer) => {
    got = Buffer.concat([got, chunk]);
    socket.emit("got");
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    ended = true;
    socket.emit("got");
  });
  socket.on("end", () => {
    ended = true;
    socket.emit("got");
  });
  const until = async (text: string): Promise<string> => {
    while (!got.includes(text)) {
      if (ended) throw new Error(`ended before ${JSON.stringify(text)}: ${got.toString()}`);
      await once(socket, "got");
    }
    const end = got.indexOf(text) + text.length;
    const head = got.subarray(0, end).toString();
    got = got.subarray(end);
    return head;
  };
  const rest = async (): Promise<Buffer> => {
    while (!ended) await once(socket, "got");
    return got;
  };
  return { socket, until, rest };
};

const headersOf = (method: string, target: string, more: readonly string[] = [], body = "") =>
  `${[`${method} ${target} HTTP/1.1`, "Host: docker", ...more, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`;

const upgrade = ["Connection: Upgrade", "Upgrade: tcp"];

/** `cat; echo done`: gives back its input, and a last line once the input ends. */
const catLike = ({ terminal = false } = {}) => {
  const stdin = new PassThrough();
  const closed = { count: 0 };
  async function* output(): ExecSession["output"] {
    for await (const chunk of stdin) yield { stream: "stdout", data: chunk as Buffer };
    yield { stream: "stderr", data: Buffer.from("bye\n") };
    yield { stream: "stdout", data: Buffer.from("done\n") };
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
};

const exec = {
  id: "e1",
  containerId,
  request: {
    cmd: ["cat"],
    env: [],
    user: "",
    workingDir: "",
    tty: false,
    privileged: false,
    attachStdin: true,
    attachStdout: true,
    attachStderr: true,
    detachKeys: "",
  },
  running: false,
  pid: 0,
  exitCode: null,
};

describe("attach", () => {
  it.each([
    ["upgraded", upgrade, "HTTP/1.1 101 UPGRADED\r\n"],
    ["as an ordinary POST", [], "HTTP/1.1 200 OK\r\n"],
  ])("%s: both ways, half-close ends stdin alone", async (_, headers, line) => {
    const { attachment, closed } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/v1.41/containers/a/attach?stream=1&stdin=1&stdout=1&stderr=1", headers));
    const head = await client.until("\r\n\r\n");
    expect(head.startsWith(line)).toBe(true);
    expect(head).toContain("Content-Type: application/vnd.docker.raw-stream");
    expect(head).toContain("Api-Version: 1.41");
    client.socket.write("hi\n");
    await client.until("hi\n");
    client.socket.end();
    expect(demultiplex([await client.rest()])).toEqual({ 1: "done\n", 2: "bye\n" });
    expect(closed.count).toBeGreaterThan(0);
  });

  it("takes input that comes right behind the upgrade request", async () => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.end(`${headersOf("POST", "/containers/a/attach?stream=1&stdin=1&stdout=1", upgrade)}early\n`);
    await client.until("\r\n\r\n");
    expect(demultiplex([await client.rest()])[1]).toBe("early\ndone\n");
  });

  it("upgrades a request that speaks of chunks and sends none", async () => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    const headers = [...upgrade, "Transfer-Encoding: chunked"].join("\r\n");
    client.socket.write(
      `POST /containers/a/attach?stream=1&stdin=1&stdout=1 HTTP/1.1\r\nHost: docker\r\n${headers}\r\n\r\n`,
    );
    expect(await client.until("\r\n\r\n")).toContain("101 UPGRADED");
    client.socket.end("raw\n");
    expect(demultiplex([await client.rest()])[1]).toBe("raw\ndone\n");
  });

  it.each([upgrade, []])("takes a body of options for what it is, no input: %j", async (...headers) => {
    const { attachment } = catLike();
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    const options = '{"stream":true,"stdin":true}';
    client.socket.write(headersOf("POST", "/containers/a/attach?stream=1&stdin=1&stdout=1", headers, options));
    await client.until("\r\n\r\n");
    client.socket.end("raw\n");
    expect(demultiplex([await client.rest()])[1]).toBe("raw\ndone\n");
  });

  it("takes for input only what comes behind a body with a length, however late that is whole", async () => {
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

  it("takes input as a chunked body, and answers in HTTP", async () => {
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

  it("leaves a terminal by its detach keys, raw and without frames", async () => {
    const { attachment, closed } = catLike({ terminal: true });
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.write(
      headersOf("POST", "/containers/a/attach?stream=1&stdin=1&stdout=1&detachKeys=ctrl-a,d", upgrade),
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
    ["upgraded", upgrade],
    ["ordinary", []],
  ])("tells a failure in HTTP, %s", async (_, headers) => {
    const fails = async () => {
      throw new EngineError("not-found", "No such container: a");
    };
    await start({ containers: { attach: fails } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/containers/a/attach?stream=1", headers));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 404 Not Found");
    await client.until('{"message":"No such container: a"}\n');
  });

  it("lets go when the client vanishes", async () => {
    const { attachment } = catLike();
    const closing = new Promise<void>((resolve) => {
      Object.assign(attachment, { close: resolve });
    });
    await start({ containers: { attach: async () => attachment } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/containers/a/attach?stream=1&stdout=1&stdin=1", upgrade));
    await client.until("\r\n\r\n");
    client.socket.destroy();
    await closing;
  });

  it("waits for a client that does not read, without end of memory, and others go on", async () => {
    let made = 0;
    async function* flood(): ExecSession["output"] {
      while (made < 4096) {
        made += 1;
        yield { stream: "stdout", data: Buffer.alloc(65_536) };
      }
    }
    const closing = new Promise<void>((resolve) => {
      const close = () => resolve();
      void start({
        containers: {
          attach: async () => ({ terminal: true, output: flood(), stdin: undefined, close }),
          get: async () => running,
        },
      });
    });
    while (listening === undefined) await new Promise(setImmediate);
    const slow = connect({ path: path() });
    slow.on("error", () => undefined);
    slow.pause();
    slow.write(headersOf("POST", "/containers/a/attach?stream=1&stdout=1", upgrade));
    const other = await dial();
    other.socket.write(headersOf("GET", "/containers/a/json"));
    await other.until('"Name":"/web"');
    // Stands still once the socket's buffers are full.
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
    ["upgraded", [...upgrade, ...json], "HTTP/1.1 101 UPGRADED"],
    ["as an ordinary POST", json, "HTTP/1.1 200 OK"],
  ])("%s", async (_, headers, line) => {
    const { session } = catLike();
    await start({ containers: { getExec: async () => exec, startExec: async () => ({ begin: async () => session }) } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/exec/e1/start", headers, body));
    expect(await client.until("\r\n\r\n")).toContain(line);
    client.socket.write("hi\n");
    await client.until("hi\n");
    client.socket.end();
    expect(demultiplex([await client.rest()])).toEqual({ 1: "done\n", 2: "bye\n" });
  });

  it("reads a body that comes late and takes what follows for input", async () => {
    const { session } = catLike();
    await start({ containers: { getExec: async () => exec, startExec: async () => ({ begin: async () => session }) } });
    const client = await dial();
    const request = headersOf("POST", "/exec/e1/start", [...upgrade, ...json], body);
    client.socket.write(request.slice(0, -5));
    await new Promise(setImmediate);
    client.socket.end(`${request.slice(-5)}early\n`);
    await client.until("\r\n\r\n");
    expect(demultiplex([await client.rest()])[1]).toBe("early\ndone\n");
  });

  it("refuses an upgrade request with a length and chunks", async () => {
    await start({});
    const client = await dial();
    client.socket.write(headersOf("POST", "/exec/e1/start", [...upgrade, ...json, "Transfer-Encoding: chunked"], body));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 400 Bad Request");
  });

  it("tells a command that cannot run in the stream", async () => {
    const begin = async () => {
      throw new EngineError("invalid", "OCI runtime exec failed");
    };
    await start({ containers: { getExec: async () => exec, startExec: async () => ({ begin }) } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/exec/e1/start", [...upgrade, ...json], body));
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
    await start({ containers: { getExec: async () => exec, startExec: fails } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/exec/e1/start", [...upgrade, ...json], body));
    expect(await client.until("\r\n\r\n")).toContain(`HTTP/1.1 ${status}`);
  });
});

describe("streams that wait", () => {
  it("sends the head of a wait before the container ends", async () => {
    let exits: (exit: { statusCode: number }) => void = () => undefined;
    const exit = new Promise<{ statusCode: number }>((resolve) => {
      exits = resolve;
    });
    await start({ containers: { wait: async () => ({ exit }) } });
    const client = await dial();
    client.socket.write(headersOf("POST", "/v1.41/containers/a/wait?condition=next-exit"));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 200 OK");
    exits({ statusCode: 3 });
    await client.until('{"Error":null,"StatusCode":3}\n');
  });

  it("sends the head of events before the first one, and ends the reader with the client", async () => {
    const left = new Promise<void>((resolve) => {
      void start({
        events: {
          read: ({ signal }) => {
            signal.addEventListener("abort", () => resolve());
            return createJournal().read({ filters: new Map(), sees: () => true, signal });
          },
        },
      });
    });
    while (listening === undefined) await new Promise(setImmediate);
    const client = await dial();
    client.socket.write(headersOf("GET", "/events"));
    expect(await client.until("\r\n\r\n")).toContain("application/json");
    client.socket.destroy();
    await left;
  });

  it("ends the source of followed logs when the client leaves", async () => {
    const left = new Promise<void>((resolve) => {
      void start({
        containers: {
          logs: async (_actor, _ref, { signal }) => ({
            terminal: false,
            output: (async function* () {
              yield { stream: "stdout" as const, time: "", data: Buffer.from("line\n") };
              if (signal !== undefined) await once(signal, "abort");
              resolve();
            })(),
          }),
        },
      });
    });
    while (listening === undefined) await new Promise(setImmediate);
    const client = await dial();
    client.socket.write(headersOf("GET", "/containers/a/logs?stdout=1&follow=1"));
    await client.until("line\n");
    client.socket.destroy();
    await left;
  });
});

describe("the server", () => {
  const ping = headersOf("GET", "/_ping");

  it("makes its socket with the mode asked for, replaces a dead one, and refuses a live one", async () => {
    await start({});
    expect((await stat(path())).mode & 0o777).toBe(0o660);
    const { app } = appWith();
    const second = serve(app, {
      kind: "unix",
      path: path(),
      actor: { kind: "administrator", id: undefined, login: "" },
    });
    await expect(second).rejects.toThrow("is in use");
    await listening?.close({ graceMilliseconds: 0 });
    await start({});
    const client = await dial();
    client.socket.write(ping);
    await client.until("OK");
  });

  it("answers an ordinary request that asks for an upgrade as any other", async () => {
    await start({});
    const client = await dial();
    client.socket.write(headersOf("GET", "/_ping", ["Connection: Upgrade", "Upgrade: h2c"]));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 200 OK");
    expect((await client.rest()).toString()).toBe("OK");
  });

  it("takes a megabyte of headers, and no more", async () => {
    await start({});
    const client = await dial();
    client.socket.write(headersOf("GET", `/_ping?x=${"a".repeat(900_000)}`));
    await client.until("OK");
    const greedy = await dial();
    greedy.socket.write(headersOf("GET", `/_ping?x=${"a".repeat(1_200_000)}`));
    expect(await greedy.until("\r\n\r\n")).toContain("HTTP/1.1 431");
  });

  it.each([
    [
      "length and chunks at once",
      "POST /containers/create HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["no Host", "GET /_ping HTTP/1.1\r\n\r\n"],
    ["TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"],
  ])("refuses %s", async (_, bytes) => {
    await start({});
    const client = await dial();
    client.socket.write(Buffer.from(bytes, "latin1"));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 400");
    await client.rest();
  });

  it.each([
    ["/containers/../info", 404],
    ["/v1.41//info", 404],
    ["/containers/%2e%2e/info", 404],
    ["/containers\\..\\info", 400],
    ["*", 400],
    ["http://docker/_ping", 200],
    ["http://docker/v1.41/_ping", 200],
  ])("%s → %i", async (target, status) => {
    await start({});
    const client = await dial();
    client.socket.write(headersOf("GET", target));
    expect(await client.until("\r\n\r\n")).toContain(`HTTP/1.1 ${status}`);
  });

  it("answers Expect: 100-continue", async () => {
    await start({ containers: { create: async () => ({ id: containerId, warnings: [] }) } });
    const client = await dial();
    const request = headersOf(
      "POST",
      "/containers/create",
      ["Expect: 100-continue", "Content-Type: application/json"],
      '{"Image":"a"}',
    );
    client.socket.write(request.slice(0, -13));
    await client.until("HTTP/1.1 100 Continue\r\n\r\n");
    client.socket.write(request.slice(-13));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 201");
  });

  it("makes nothing of a create that was sent by half", async () => {
    const { faults } = await start({});
    const client = await dial();
    client.socket.write(
      headersOf("POST", "/containers/create", ["Content-Type: application/json"], '{"Image":"a"}').slice(0, -4),
    );
    client.socket.destroy();
    const next = await dial();
    next.socket.write(ping);
    await next.until("OK");
    expect(faults).toEqual([]);
  });

  it("keeps a connection for further requests", async () => {
    await start({ containers: { get: async () => running } });
    const client = await dial();
    for (let count = 0; count < 3; count++) {
      client.socket.write(headersOf("GET", "/containers/a/json"));
      await client.until('"Name":"/web"');
      await client.until("}}}}");
    }
  });

  it("needs an identity over TCP", async () => {
    const { app } = appWith();
    const tcp = await serve(app, { kind: "tcp", host: "127.0.0.1", port: 0, allowedHosts: ["127.0.0.1"] });
    const ask = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${tcp.port}/_ping`, { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ origin: "http://evil.example" })).status).toBe(403);
    await tcp.close({ graceMilliseconds: 0 });
  });
});
