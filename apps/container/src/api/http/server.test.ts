import { once } from "node:events";
import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createJournal } from "../../events/journal.ts";
import { appWith, containerId, RUNNING } from "../routes/app.testing.ts";
import { dial, ENGINE, engineHooks, headersOf, path, start } from "./server.testing.ts";
import { serve } from "./server.ts";

engineHooks();

describe("waiting streams", () => {
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
    await client.until('{"StatusCode":3}\n');
  });

  it("sends the head of events before the first event, and ends the reader when the client disconnects", async () => {
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
    while (ENGINE.listening === undefined) await new Promise(setImmediate);
    const client = await dial();
    client.socket.write(headersOf("GET", "/events"));
    expect(await client.until("\r\n\r\n")).toContain("application/json");
    client.socket.destroy();
    await left;
  });

  it("ends the source of followed logs when the client disconnects", async () => {
    const left = new Promise<void>((resolve) => {
      void start({
        containers: {
          logs: async (_actor, _ref, { signal }) => ({
            terminal: false,
            attributes: [],
            output: (async function* () {
              yield [{ stream: "stdout" as const, time: "", data: Buffer.from("line\n") }];
              if (signal !== undefined) await once(signal, "abort");
              resolve();
            })(),
          }),
        },
      });
    });
    while (ENGINE.listening === undefined) await new Promise(setImmediate);
    const client = await dial();
    client.socket.write(headersOf("GET", "/containers/a/logs?stdout=1&follow=1"));
    await client.until("line\n");
    client.socket.destroy();
    await left;
  });
});

describe("the server", () => {
  const ping = headersOf("GET", "/_ping");

  it("answers some requests that come at once on one connection, and ends it where there are more", async () => {
    await start({});
    const client = await dial();
    client.socket.write(ping.repeat(8));
    for (let count = 0; count < 8; count++) await client.until("HTTP/1.1 200 OK");
    const flood = await dial();
    flood.socket.write(ping.repeat(200));
    await flood.rest();
    expect(client.socket.destroyed).toBe(false);
  });

  it("creates its socket with the given mode, replaces a dead one, and rejects a live one", async () => {
    await start({});
    expect((await stat(path())).mode & 0o777).toBe(0o660);
    const { app } = appWith();
    const second = serve(app, {
      kind: "unix",
      path: path(),
      actor: { kind: "administrator", id: undefined, login: "" },
    });
    await expect(second).rejects.toThrow("is in use");
    await ENGINE.listening?.close({ graceMilliseconds: 0 });
    await start({});
    const client = await dial();
    client.socket.write(ping);
    await client.until("OK");
  });

  it("answers an ordinary request with an upgrade header like any other", async () => {
    await start({});
    const client = await dial();
    client.socket.write(headersOf("GET", "/_ping", ["Connection: Upgrade", "Upgrade: h2c"]));
    expect(await client.until("\r\n\r\n")).toContain("HTTP/1.1 200 OK");
    expect((await client.rest()).toString()).toBe("OK");
  });

  it("accepts a megabyte of headers and rejects more", async () => {
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
  ])("rejects %s", async (_, bytes) => {
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

  it("takes the body that a client sends after it was refused, so that the client gets to read why", async () => {
    await start({});
    const client = await dial();
    client.socket.pause();
    const whole = headersOf("POST", "/v1.41/containers/-/unknown", ["Connection: close"], "{      }");
    client.socket.write(whole.slice(0, -7));
    // Long enough for the answer, and for a server that closes at once to do so.
    await delay(100);
    client.socket.write(whole.slice(-7));
    await new Promise(setImmediate);
    client.socket.resume();
    expect((await client.rest()).toString()).toContain("HTTP/1.1 404 Not Found");
  });

  it("creates nothing from a partial create request", async () => {
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

  it("keeps a connection open for further requests", async () => {
    await start({ containers: { get: async () => RUNNING } });
    const client = await dial();
    for (let count = 0; count < 3; count++) {
      client.socket.write(headersOf("GET", "/containers/a/json"));
      await client.until('"Name":"/web"');
      await client.until("}}}}");
    }
  });

  it("requires an identity over TCP", async () => {
    const { app } = appWith();
    const tcp = await serve(app, { kind: "tcp", host: "127.0.0.1", port: 0, allowedHosts: ["127.0.0.1"] });
    const ask = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${tcp.port}/_ping`, { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ origin: "http://evil.example" })).status).toBe(403);
    await tcp.close({ graceMilliseconds: 0 });
  });
});
