import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import { startOtlpReceiver } from "./otlp-receiver.testing.ts";
import { openTraces } from "./traces.ts";

const LOG = { warn: () => undefined };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  vi.unstubAllEnvs();
});

async function receive() {
  const receiver = await startOtlpReceiver();
  closing.push(receiver.close);
  // The exporter reads its settings from the process.
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url);
  const traces = await openTraces("container", { env: process.env, log: LOG });
  if (traces === undefined) throw new Error("no traces");
  return { receiver, traces };
}

/** A service that keeps the headers of what it is asked. */
async function startService(
  status: number,
): Promise<{ readonly origin: string; readonly seen: IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

test("joins the caller's trace, spans each step, and tells the service that it asks", async () => {
  const { receiver, traces } = await receive();
  const [named, other] = [await startService(404), await startService(200)];
  traces.traceFetches(named.origin);
  const app = new Hono().use(traces.requests).post("/containers/:id/start", async (c) => {
    const begun = performance.now();
    await pause(20);
    traces.step({ name: "start process", begun, ended: performance.now(), attributes: { "container.id": "c1" } });
    await fetch(`${named.origin}/api/me?secret=in-the-query`, { headers: { authorization: "Bearer a-secret" } });
    await fetch(other.origin);
    return c.body(null, 204);
  });
  const [traceId, callerId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const headers = { traceparent: `00-${traceId}-${callerId}-01`, tracestate: "a=b", authorization: "Bearer a-secret" };
  await app.request("/containers/web/start?secret=in-the-query", { method: "POST", headers, body: "a-secret" });
  await traces.close();

  const server = receiver.spans.find(({ kind }) => kind === "server");
  expect(server).toMatchObject({
    service: "container",
    name: "POST /containers/:id/start",
    traceId,
    parentId: callerId,
    isError: false,
    attributes: {
      "http.request.method": "POST",
      "http.route": "/containers/:id/start",
      "http.response.status_code": 204,
    },
  });
  const below = { traceId, parentId: server?.spanId };
  const step = receiver.spans.find(({ kind }) => kind === "internal");
  expect(step).toMatchObject({ ...below, name: "start process", attributes: { "container.id": "c1" } });
  expect(step?.nanoseconds).toBeGreaterThan(15_000_000);
  expect(step?.nanoseconds).toBeLessThanOrEqual(server?.nanoseconds ?? 0);
  const client = receiver.spans.find(({ kind }) => kind === "client");
  expect(client).toMatchObject({
    ...below,
    name: "GET",
    isError: true,
    attributes: { "http.response.status_code": 404 },
  });
  expect(receiver.spans).toHaveLength(3);
  expect(named.seen[0]).toMatchObject({ traceparent: `00-${traceId}-${client?.spanId}-01`, tracestate: "a=b" });
  expect(other.seen[0]).not.toHaveProperty("traceparent");
  expect(receiver.text()).not.toMatch(/secret|web/);
});

test("begins a trace of its own where the caller names none, or none that is valid, and marks what failed", async () => {
  const { receiver, traces } = await receive();
  const { origin } = await startService(200);
  await closing.pop()?.();
  traces.traceFetches(origin);
  const app = new Hono().use(traces.requests).get("/away", async () => await fetch(origin));
  app.onError((_, c) => c.body(null, 503));
  for (const traceparent of ["", "00-0-0-01", `00-${"0".repeat(32)}-${"1".repeat(16)}-01`, "x".repeat(5_000)])
    await app.request("/away", { headers: { traceparent } });
  await app.request("/nowhere");
  await traces.close();
  const servers = receiver.spans.filter(({ kind }) => kind === "server");
  expect(servers.map(({ name, parentId, isError }) => [name, parentId, isError])).toEqual([
    ...Array(4).fill(["GET /away", "", true]),
    ["GET none", "", false],
  ]);
  expect(new Set(servers.map(({ traceId }) => traceId)).size).toBe(5);
  expect(receiver.spans.filter(({ kind, isError }) => kind === "client" && isError)).toHaveLength(4);
});

test("says once that the collector takes nothing, and ends all the same", async () => {
  const { origin } = await startService(400);
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", origin);
  const told: string[] = [];
  const log = { warn: (_: object, message: string) => told.push(message) };
  const traces = await openTraces("container", { env: process.env, log: log as never });
  // More than one batch.
  for (let n = 0; n < 600; n++) traces?.step({ name: "start", begun: 0, ended: 1, attributes: {} });
  await traces?.close();
  expect(told).toEqual(["failed to send traces"]);
});
