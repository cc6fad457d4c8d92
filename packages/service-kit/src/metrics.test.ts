import { once } from "node:events";
import { createServer } from "node:net";
import { Hono } from "hono";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { type Answered, createMetrics, serveMetrics } from "./metrics.ts";
import { timed } from "./timed.ts";

const LOOPBACK = { host: "127.0.0.1", port: 0 };

async function textOf(execute: () => Promise<Iterable<Record<string, unknown>>>): Promise<string> {
  const { registry, answered } = createMetrics({ execute });
  answered({ method: "GET", route: "/users/:id", status: 200, seconds: 0.003 });
  const { port, close } = await serveMetrics(registry, "BERTH_METRICS_LISTEN", LOOPBACK);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    return await answer.text();
  } finally {
    await close();
  }
}

test("tells of the process, of requests, and of connections by state", async () => {
  const text = await textOf(async () => [{ state: "idle", count: 3 }]);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  const request = 'method="GET",route="/users/:id",status="200"';
  expect(text).toContain(`berth_http_request_duration_seconds_bucket{le="0.0025",${request}} 0`);
  expect(text).toContain(`berth_http_request_duration_seconds_bucket{le="0.005",${request}} 1`);
  expect(text).toContain('berth_database_connections{state="idle"} 3');
});

test("tells of the rest where the database is away", async () => {
  const text = await textOf(() => Promise.reject(new Error("ECONNREFUSED")));
  expect(text).toContain("process_resident_memory_bytes");
  expect(text).not.toContain("berth_database_connections{");
});

test("answers one path alone, and names the setting of an address that is taken", async () => {
  const { port, close } = await serveMetrics(new Registry(), "BERTH_METRICS_LISTEN", LOOPBACK);
  for (const [method, path] of [
    ["GET", "/"],
    ["POST", "/metrics"],
    ["GET", "/metrics/"],
  ] as const)
    expect((await fetch(`http://127.0.0.1:${port}${path}`, { method })).status).toBe(404);
  await close();
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address() as { readonly port: number };
  const serving = serveMetrics(new Registry(), "BERTH_METRICS_LISTEN", { host: "127.0.0.1", port: address.port });
  await expect(serving).rejects.toThrow(`BERTH_METRICS_LISTEN: 127.0.0.1:${address.port} is in use by another program`);
  taken.close();
});

test("names a request by its route's pattern, whatever its outcome, and never by what a client makes up", async () => {
  const told: Answered[] = [];
  const app = new Hono();
  app.use(timed((request) => told.push(request)));
  app.use(async (context, next) => (context.req.query("in") === "no" ? context.text("who?", 401) : await next()));
  app.get("/users/:id", (context) => context.text("ann"));
  app.get("/broken", () => {
    throw new Error("broken");
  });
  app.onError((_, context) => context.text("internal", 500));
  for (const path of ["/users/7", "/users/7?in=no", "/broken", "/made-up"]) await app.request(path);
  expect(told.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    "GET /users/:id 200",
    "GET /users/:id 401",
    "GET /broken 500",
    "GET none 404",
  ]);
  expect(told.every(({ seconds }) => seconds >= 0)).toBe(true);
});
