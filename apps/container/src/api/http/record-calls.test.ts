import { expect, it } from "vitest";
import type { ActedOn } from "../../containers/containers.ts";
import type { Action } from "../../engine/action.ts";
import { EngineError } from "../../engine/errors.ts";
import { appWith, type Fakes } from "../routes/app.testing.ts";
import type { Listener } from "./edge.ts";
import { recordedCall } from "./recorded-calls.ts";

const WEB: ActedOn = { id: "0123", name: "web", owner: "7", image: "nginx" };
const TCP: Listener = { kind: "tcp", host: "127.0.0.1", port: 2375, allowedHosts: ["localhost"] };

/** The app with a record; every container reference means {@link WEB}. */
function recorded(fakes: Fakes = {}) {
  const actions: Action[] = [];
  const containers = { actedOn: () => WEB, ...fakes.containers };
  return { ...appWith({ ...fakes, containers, actions: { record: (action) => actions.push(action) } }), actions };
}

it("tells who did what to which container, by which way", async () => {
  const { request, actions } = recorded({ containers: { kill: async () => undefined } });
  await request("POST", "/containers/web/kill");
  expect(actions).toEqual([
    {
      actor: undefined,
      login: "root",
      via: "administrators-socket",
      address: undefined,
      action: "container.kill",
      target: "container/0123",
      name: "web",
      owner: "7",
      image: "nginx",
      outcome: "done",
      bypass: true,
      reason: undefined,
    },
  ]);
});

it("tells the id that a create answers with", async () => {
  const { request, actions } = recorded({
    containers: { create: async () => ({ id: "4567" as never, warnings: [] }) },
  });
  const body = { Image: "nginx", Cmd: ["sh", "-c", "echo hidden"], Env: ["SECRET=hidden"], Labels: { a: "hidden" } };
  expect((await request("POST", "/containers/create?name=shop", body)).status).toBe(201);
  expect(actions).toMatchObject([
    { action: "container.create", target: "container/4567", name: "shop", image: "nginx" },
  ]);
  expect(JSON.stringify(actions)).not.toContain("hidden");
});

it.each([
  ["forbidden", "refused", "why it is forbidden"],
  ["too-many", "refused", "why it is forbidden"],
  ["conflict", "failed", "conflict"],
  ["invalid", "failed", "invalid"],
  ["unavailable", "failed", "unavailable"],
] as const)("tells why it was refused, and of a failure its kind alone: %s", async (kind, outcome, reason) => {
  const start = async () => {
    throw new EngineError(kind, "why it is\nforbidden");
  };
  const { request, actions } = recorded({ containers: { start } });
  await request("POST", "/containers/web/start");
  expect(actions).toMatchObject([{ action: "container.start", target: "container/0123", outcome, reason }]);
});

it("records calls that nobody but an administrator may make, and requests of strangers", async () => {
  const user = { kind: "user", id: "7", login: "ann", effective: {} as never } as const;
  const identify = async ({ authorization }: { readonly authorization: string | undefined }) =>
    authorization === "Bearer good" ? user : undefined;
  const { app, actions } = recorded({ identify });
  const ask = (authorization: string, path: string) =>
    app.request(path, { method: "POST", headers: { host: "localhost", authorization } }, { listener: TCP });
  expect((await ask("Bearer good", "/swarm/init")).status).toBe(403);
  expect((await ask("Bearer bad", "/containers/web/start")).status).toBe(401);
  expect(actions).toMatchObject([
    {
      ...{ actor: "7", via: "token", action: "engine.call", target: "engine", outcome: "refused", bypass: false },
      reason: "denied by policy: only an administrator may POST /swarm/init",
    },
    { actor: undefined, login: undefined, action: "engine.authenticate", target: "engine", outcome: "refused" },
  ]);
  expect(JSON.stringify(actions)).not.toContain("Bearer");
});

it("leaves out what changes nothing", async () => {
  const { request, actions } = recorded({ containers: { createExec: async () => "e1" } });
  for (const [method, path] of [
    ["GET", "/_ping"],
    ["GET", "/nope"],
    ["POST", "/containers/web/nope"],
    ["POST", "/containers/web/exec"],
  ] as const)
    await request(method, path, method === "POST" ? { Cmd: ["true"] } : undefined);
  expect(actions).toEqual([]);
});

it.each([
  ["POST", "/containers/7%2Fweb/restart", "container.restart", "7/web"],
  ["DELETE", "/containers/web", "container.remove", "web"],
  ["PUT", "/containers/web/archive", "container.write", "web"],
  ["GET", "/containers/web/archive", "container.read", "web"],
  ["GET", "/containers/web/attach/ws", "container.attach", "web"],
  ["POST", "/exec/e1/start", "container.exec", "e1"],
  ["POST", "/images/docker.io/library/nginx/push", "image.push", "docker.io/library/nginx"],
  ["DELETE", "/images/docker.io/library/nginx:1", "image.remove", "docker.io/library/nginx:1"],
  ["POST", "/images/load", "image.load", ""],
  ["POST", "/build/prune", "build.prune", ""],
  ["POST", "/networks/back/connect", "network.connect", "back"],
  ["DELETE", "/networks/7/back", "network.remove", "7/back"],
  ["DELETE", "/volumes/data", "volume.remove", "data"],
  ["POST", "/berth/enforce", "engine.enforce", ""],
  ["POST", "/berth/ports/reservations", "port.reserve", ""],
  ["DELETE", "/berth/ports/reservations/r1", "port.unreserve", "r1"],
  ["GET", "/containers/web/json", "engine.call", ""],
  ["POST", "/containers/web/resize", "engine.call", ""],
])("knows %s %s as %s of %j", (method, path, action, ref) => {
  expect(recordedCall(method, path)).toMatchObject({ action, ref });
});

/** Routes that change nothing worth a record, though their method may: what they answer, wait for or size, and what Berth does not have. */
const UNRECORDED = [
  /^POST \/(auth|berth\/explain)$/,
  // Each build that comes over these connections is recorded by itself.
  /^POST \/(grpc|session)$/,
  /^POST \/containers\/:id\/(wait|resize)$/,
  /^POST \/exec\/:id\/resize$/,
  /^(POST|DELETE) \/plugins\//,
  /^PUT \/volumes\//,
];

it("has every route that changes something", () => {
  const routes = appWith()
    .app.routes.filter(({ method, path }) => !["ALL", "GET", "HEAD"].includes(method) && path !== "/*")
    .map(({ method, path }) => `${method} ${path}`);
  expect(routes.length).toBeGreaterThan(30);
  const isRecorded = (route: string) => {
    const [method = "", path = ""] = route.split(" ");
    return recordedCall(method, path.replaceAll(/:\w+(\{\.\+\})?/g, "x")).action !== "engine.call";
  };
  const isLeftOut = (route: string) => UNRECORDED.some((pattern) => pattern.test(route));
  expect([...new Set(routes.filter((route) => isRecorded(route) === isLeftOut(route)))]).toEqual([]);
  expect(UNRECORDED.filter((pattern) => !routes.some((route) => pattern.test(route)))).toEqual([]);
});

it("names the ports of a reservation, and the user that it is for", async () => {
  const claimant = { kind: "user", id: "7", name: "ann" } as const;
  const wish = { hostIp: "127.0.0.1", hostPorts: { start: 8080, end: 8081 }, protocol: "tcp", claimant } as const;
  const reservation = { ...wish, id: "r1", since: "2030-01-01T00:00:00Z" };
  const ports = {
    reserve: async () => reservation,
    reservations: () => [reservation],
    unreserve: async () => undefined,
  };
  const { request, actions } = recorded({ ports });
  const body = { hostIp: "127.0.0.1", hostPorts: "8080-8081", claimant };
  expect((await request("POST", "/berth/ports/reservations", body)).status).toBe(201);
  expect((await request("DELETE", "/berth/ports/reservations/r1")).status).toBe(204);
  const about = {
    target: "port/127.0.0.1:8080-8081/tcp",
    name: "127.0.0.1:8080-8081/tcp",
    owner: "7",
    outcome: "done",
  };
  expect(actions).toMatchObject([
    { action: "port.reserve", ...about },
    { action: "port.unreserve", ...about },
  ]);
});

it("names the image of a pull without credentials before its host", async () => {
  const pull = async () => {
    throw new EngineError("forbidden", "no");
  };
  const { request, actions } = recorded({ images: { pull } });
  await request("POST", "/images/create?fromImage=ann:hidden@registry.test/acme/web&tag=1");
  await request("POST", `/images/create?fromImage=nginx&tag=sha256:${"a".repeat(64)}`);
  expect(actions).toMatchObject([
    { action: "image.pull", target: "image/registry.test/acme/web:1" },
    { action: "image.pull", target: `image/nginx@sha256:${"a".repeat(64)}` },
  ]);
});
