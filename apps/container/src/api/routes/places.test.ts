import { expect, test } from "vitest";
import { type Actor, HOST_ADMINISTRATOR } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { user } from "../../engine/user.testing.ts";
import type { Place, PlaceRequest } from "../../places/place.ts";
import { appWith, type Fakes } from "./app.testing.ts";

const PLACE: Place = {
  id: "7@ci",
  name: "ci",
  user: "7",
  login: "ann",
  size: { memory: 2 ** 30, cpu: 1.5, pids: 100 },
  ports: [{ start: 8000, end: 8010, protocol: "udp" }],
  state: "ready",
  since: "2030-01-01T00:00:00Z",
  until: undefined,
  grant: undefined,
  podGroup: undefined,
};
const SHAPE = {
  id: "7@ci",
  name: "ci",
  user: { id: "7", login: "ann" },
  memory: 2 ** 30,
  cpus: 1.5,
  pids: 100,
  ports: ["8000-8010/udp"],
  state: "ready",
  since: "2030-01-01T00:00:00Z",
  until: null,
};

/** The app of a host with that place; `done` says what was asked of it. */
function appFor(actor: Actor = HOST_ADMINISTRATOR, unnamedPlace: Fakes["unnamedPlace"] = "outside") {
  const done: unknown[] = [];
  const app = appWith({
    ...{ identify: async () => actor, unnamedPlace },
    containers: { countIn: () => 2, counts: () => ({ total: 0, running: 0, paused: 0, stopped: 0 }) },
    images: { list: async () => [] },
    places: {
      all: () => [PLACE],
      enter: (who, name) => {
        if (name !== "ci") throw new EngineError("not-found", `no place ${name}`);
        return { ...user(7), id: `${who.id}@${name}`, place: { name, memory: 1024, cpu: 0.5 } };
      },
      take: async (request: PlaceRequest) => {
        done.push(request);
        return PLACE;
      },
      give: async (id) => void done.push(`give ${id}`),
      extend: async (id, seconds) => {
        done.push(`extend ${id} ${seconds}`);
        return PLACE;
      },
    },
  });
  return { ...app, done };
}

const WISH = { name: "ci", user: "7", memory: 2 ** 30, cpus: 1.5, pids: 100 };

test("takes, lists, extends and gives back", async () => {
  const { request, done } = appFor();
  const body = { ...WISH, ports: ["8080", "53/udp"], seconds: 60 };
  const taken = await request("POST", "/berth/places", body);
  expect([taken.status, await taken.json()]).toEqual([201, SHAPE]);
  expect(await (await request("GET", "/berth/places")).json()).toEqual([{ ...SHAPE, containers: 2 }]);
  expect((await request("POST", "/berth/places/7@ci/extend", { seconds: 60 })).status).toBe(200);
  expect((await request("DELETE", "/berth/places/7@ci")).status).toBe(204);
  const ports = [
    { start: 8080, end: 8080, protocol: "tcp" },
    { start: 53, end: 53, protocol: "udp" },
  ];
  const size = { memory: 2 ** 30, cpu: 1.5, pids: 100 };
  expect(done).toEqual([{ name: "ci", user: "7", size, ports, seconds: 60 }, "extend 7@ci 60", "give 7@ci"]);
});

test.each<[string, object, string]>([
  ["no memory", { memory: 0 }, "memory: want at least 6 MiB"],
  ["less than no memory", { memory: -1 }, "memory: want at least 6 MiB"],
  ["a part of a byte", { memory: 2 ** 30 + 0.5 }, "memory: want a whole number of bytes"],
  ["memory beyond counting", { memory: 2 ** 60 }, "memory"],
  ["no processor", { cpus: 0 }, "cpus"],
  ["a thousandth of a processor", { cpus: 0.001 }, "cpus"],
  ["processors in thousandths", { cpus: 1.001 }, "cpus: want hundredths of a CPU, such as 1.5"],
  ["half a process", { pids: 0.5 }, "pids: want a whole number of processes"],
  ["a text as a number", { pids: "5" }, "pids"],
  ["port 0", { ports: ["0"] }, 'ports[0]: "0" is no host port: want 8080, 8000-8010 or 53/udp'],
  ["a port out of range", { ports: ["65536"] }, "is no host port"],
  ["a range backwards", { ports: ["9000-8000"] }, "is no host port"],
  ["a protocol of nobody", { ports: ["80/icmp"] }, "is no host port"],
  ["a port twice", { ports: ["80", "70-90"] }, "ports: names a port twice"],
  ["every port", { ports: ["1-65535"] }, "ports: want at most 1000 ports"],
  ["a name that is a path", { name: "../x" }, "name: want 1 to 30 small letters, digits and hyphens"],
  ["a login instead of an id", { user: "ann" }, "user: want the id of a user in the directory, in digits"],
  ["no time", { seconds: 0 }, "seconds"],
  ["a thousand years", { seconds: 2 ** 40 }, "seconds"],
  ["what it does not know", { disk: 5 }, "disk"],
])("refuses %s", async (_, wrong, message) => {
  const { request, done } = appFor();
  const answer = await request("POST", "/berth/places", { ...WISH, ...wrong });
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { message: string }).message).toContain(message);
  expect(done).toEqual([]);
});

test("a user sees and gives back its own places, and takes and extends none", async () => {
  const own = appFor(user(7));
  expect(await (await own.request("GET", "/berth/places")).json()).toHaveLength(1);
  expect((await own.request("DELETE", "/berth/places/7@ci")).status).toBe(204);
  expect((await own.request("POST", "/berth/places", WISH)).status).toBe(403);
  expect((await own.request("POST", "/berth/places/7@ci/extend", { seconds: 60 })).status).toBe(403);
  const other = appFor(user(8));
  expect(await (await other.request("GET", "/berth/places")).json()).toEqual([]);
  expect((await other.request("DELETE", "/berth/places/7@ci")).status).toBe(404);
  expect(own.done).toEqual(["give 7@ci"]);
  expect(other.done).toEqual([]);
});

test.each(["/places/ci/v1.41/info", "/places/ci/info", "http://host/places/ci/v1.41/info"])(
  "shows the size of the place that %s is in",
  async (target) => {
    const { request } = appFor(user(7));
    expect(await (await request("GET", target)).json()).toMatchObject({ MemTotal: 1024, NCPU: 1 });
  },
);

test.each([
  ["/info", 403],
  ["/v1.41/containers/json", 403],
  ["/versions", 403],
  ["/_ping", 200],
  ["/v1.41/_ping", 200],
  ["/version", 200],
  ["/berth/places", 200],
])("lets a user without a place on a host for places alone ask %s: %i", async (target, status) => {
  const { request } = appFor(user(8), "only-place");
  expect((await request("GET", target)).status).toBe(status);
});

test("a user of a host for places alone is in its only place, and administrators in none", async () => {
  expect(await (await appFor(user(7), "only-place").request("GET", "/info")).json()).toMatchObject({ MemTotal: 1024 });
  const outside = await appFor(HOST_ADMINISTRATOR, "only-place").request("GET", "/info");
  expect(await outside.json()).toMatchObject({ NCPU: 2 });
});

test.each([
  ["/places/none/info", 404, "no place none"],
  ["/places/ci", 403, "only an administrator may GET /places/ci"],
  ["/places/a/places/ci/info", 404, "no place a"],
  ["/places/CI/info", 404, "no place CI"],
])("answers %s with %i", async (target, status, message) => {
  const { request } = appFor(user(7));
  const answer = await request("GET", target);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toContain(message);
});
