import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Attachment } from "../../containers/containers.ts";
import type { ExecSession, Output, OutputChunk } from "../../containers/records/runtime.ts";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { createJournal } from "../../events/journal.ts";
import { appWith, type Fakes, RUNNING } from "../routes/app.testing.ts";
import type { Identify } from "./edge.ts";
import { OpenRequests } from "./open-requests.ts";
import { dial, ENGINE, EXEC, engineHooks, headersOf, path, UPGRADE } from "./server.testing.ts";
import { serve } from "./server.ts";

engineHooks();

afterEach(() => {
  vi.useRealTimers();
});

const ANN = { kind: "administrator", id: "7", login: "ann" } as const satisfies Actor;
const OWNER = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

async function* silentUntil(signal: AbortSignal | undefined): Output<OutputChunk> {
  if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
}

function endlessExec(): ExecSession {
  const stdin = new PassThrough();
  return {
    pid: 1,
    stdin,
    output: silentUntil(new AbortController().signal),
    resize: async () => undefined,
    kill: async () => undefined,
    exit: new Promise(() => undefined),
    detach: () => void stdin.destroy(),
  };
}

/** A container whose streams end only when their client leaves. */
const ENDLESS: Fakes = {
  containers: {
    attach: async (): Promise<Attachment> => {
      const stdin = new PassThrough();
      async function* output(): Output<OutputChunk> {
        for await (const data of stdin) yield [{ stream: "stdout", data: data as Buffer, time: "" }];
      }
      return { terminal: false, output: output(), stdin, close: () => void stdin.destroy() };
    },
    getExec: async () => EXEC,
    startExec: async () => ({ begin: async () => endlessExec() }),
    logs: async (_actor, _ref, { signal }) => ({ terminal: false, output: silentUntil(signal), attributes: [] }),
    stats: async () => ({ view: RUNNING, stats: undefined }),
    assertMayAttach: () => undefined,
    assertMayExec: () => undefined,
  },
};

/** Serves ann's own socket; `identify` decides about each request and each check of an open one. */
async function serveAnn(identify: Identify) {
  const events = createJournal();
  const { app } = appWith({ ...ENDLESS, events, identify });
  ENGINE.listening = await serve(app, { kind: "user", path: path(), login: "ann", owner: OWNER });
}

const STREAMS: readonly (readonly [string, string, string, readonly string[], string])[] = [
  ["an upgraded exec", "POST", "/exec/e1/start", [...UPGRADE, "Content-Type: application/json"], "{}"],
  ["an upgraded attach", "POST", "/containers/a/attach?stream=1&stdin=1&stdout=1", UPGRADE, ""],
  ["an attach without upgrade", "POST", "/containers/a/attach?stream=1&stdin=1&stdout=1", [], ""],
  ["logs", "GET", "/containers/a/logs?stdout=1&follow=1", [], ""],
  ["events", "GET", "/events", [], ""],
  ["stats", "GET", "/containers/a/stats", [], ""],
];

const LOST: readonly (readonly [string, Identify])[] = [
  ["whose token is revoked", async () => undefined],
  [
    "who is disabled",
    async () => {
      throw new EngineError("forbidden", "disabled");
    },
  ],
  ["who is no longer an administrator", async () => ({ kind: "user", id: "7", login: "ann" }) as Actor],
  ["whose login now belongs to another", async () => ({ ...ANN, id: "8" })],
];

describe.each(LOST)("a user %s", (_user, afterwards) => {
  it.each(STREAMS)("loses %s", async (_stream, method, target, headers, body) => {
    let identify: Identify = async () => ANN;
    await serveAnn((credentials) => identify(credentials));
    const client = await dial();
    client.socket.write(headersOf(method, target, headers, body));
    await client.until("\r\n\r\n");
    identify = afterwards;
    await client.rest();
    expect(client.socket.destroyed || client.socket.readableEnded).toBe(true);
  });
});

it.each([
  ["attach", "assertMayAttach", "/containers/a/attach?stream=1&stdin=1&stdout=1", [], ""],
  ["exec", "assertMayExec", "/exec/e1/start", ["Content-Type: application/json"], "{}"],
] as const)("ends an %s once its user may no longer have it", async (_, check, target, headers, body) => {
  let isAllowed = true;
  const mayEnter = (): void => {
    if (!isAllowed) throw new EngineError("forbidden", "denied by policy");
  };
  const { app } = appWith({
    containers: { ...ENDLESS.containers, [check]: mayEnter },
    events: createJournal(),
    identify: async () => ANN,
  });
  ENGINE.listening = await serve(app, { kind: "user", path: path(), login: "ann", owner: OWNER });
  const client = await dial();
  client.socket.write(headersOf("POST", target, [...UPGRADE, ...headers], body));
  await client.until("\r\n\r\n");
  isAllowed = false;
  await client.rest();
  expect(client.socket.destroyed || client.socket.readableEnded).toBe(true);
});

it("keeps a stream while the directory does not answer", async () => {
  let answers = 0;
  let checked = (): void => undefined;
  const threeChecks = new Promise<void>((resolve) => {
    checked = resolve;
  });
  await serveAnn(async () => {
    answers += 1;
    if (answers === 1) return ANN;
    if (answers === 4) checked();
    throw new EngineError("unavailable", "no answer");
  });
  const client = await dial();
  client.socket.write(headersOf("POST", "/containers/a/attach?stream=1&stdin=1&stdout=1", UPGRADE));
  await client.until("\r\n\r\n");
  await threeChecks;
  client.socket.write("still here");
  await client.until("still here");
});

it("keeps the connection of a request that is answered", async () => {
  let isKnown = true;
  await serveAnn(async () => (isKnown ? ANN : undefined));
  const client = await dial();
  client.socket.write(headersOf("GET", "/_ping"));
  await client.until("\r\n\r\nOK");
  isKnown = false;
  const other = await dial();
  other.socket.write(headersOf("GET", "/_ping"));
  await other.until("401 Unauthorized");
  client.socket.write(headersOf("GET", "/_ping"));
  await client.until("401 Unauthorized");
});

it("bounds one user's open streams, and neither another user's nor an administrator's", async () => {
  let actor = { kind: "user", id: "8", login: "eve" } as Actor;
  const events = createJournal();
  const { app } = appWith({ ...ENDLESS, events, identify: async () => actor });
  const ask = async () => {
    const client = await dial();
    client.socket.write(headersOf("GET", "/events"));
    return { client, head: await client.until("\r\n\r\n") };
  };
  ENGINE.listening = await serve(app, { kind: "user", path: path(), login: "eve", owner: OWNER });
  const open = await Promise.all(Array.from({ length: 256 }, ask));
  for (const { head } of open) expect(head).toContain("HTTP/1.1 200");
  const refused = await ask();
  expect(refused.head).toContain("HTTP/1.1 429");
  await refused.client.until("the user eve has 256 open requests and streams");
  open[0]?.client.socket.destroy();
  while ((await ask()).head.includes("HTTP/1.1 429"));
  for (const other of [{ ...actor, id: "9" }, ANN] as const) {
    actor = other;
    expect((await ask()).head).toContain("HTTP/1.1 200");
  }
});

it.each([
  ["is ended after ten minutes without a byte read", { writableLength: 10, step: 0, isEnded: true }],
  ["stays while its client reads slowly", { writableLength: 10, step: 1, isEnded: false }],
  ["stays while it has nothing to send", { writableLength: 0, step: 0, isEnded: false }],
])("a stream %s", async (_, { writableLength, step, isEnded }) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let time = 0;
  const requests = new OpenRequests({ now: () => time });
  const socket = {
    destroyed: false,
    writableLength,
    bytesWritten: 100,
    destroy() {
      this.destroyed = true;
      return this as never;
    },
  };
  const response = { once: () => response as never };
  requests.add({ actor: ANN, identify: async () => ANN, socket, response });
  for (let tick = 0; tick < 12; tick++) {
    expect(socket.destroyed).toBe(false);
    time += 50_100;
    socket.bytesWritten += step;
    await vi.advanceTimersByTimeAsync(400);
  }
  expect(socket.destroyed).toBe(isEnded);
});
