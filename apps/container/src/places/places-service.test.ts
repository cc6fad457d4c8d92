import { once } from "node:events";
import { createServer } from "node:net";
import type { Constraint } from "@berth/directory-domain";
import { NO_LEASES } from "@berth/port-spec";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ALL_LIMITS } from "../containers/create/discard-limits.ts";
import { openTestDatabase } from "../db/database.testing.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createPlaceStore } from "../db/place-store.ts";
import { createReservationStore } from "../db/reservation-store.ts";
import { places as placeRows, portReservations } from "../db/schema.ts";
import { type Actor, HOST_ADMINISTRATOR } from "../engine/actor.ts";
import { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import { FAILURES, Steps } from "../engine/steps.testing.ts";
import { user } from "../engine/user.testing.ts";
import { uniquePort } from "../networks/host.testing.ts";
import { HeldQuotas } from "../policy/held-quotas.ts";
import { assertPlaceAllowed } from "../policy/places.ts";
import { Reservations } from "../ports/reservations.ts";
import { Lease } from "./lease.ts";
import type { PlaceRequest } from "./place.ts";
import { HostPlaces, type PlacesOptions } from "./places-service.ts";

const GIB = 2 ** 30;
const HOST = { cgroupnsMode: "private", limits: ALL_LIMITS, apparmor: true, defaultHostIp: undefined } as const;
const port = uniquePort(0);

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.delete(placeRows);
  await database.db.delete(portReservations);
});

const OPEN: HostPlaces[] = [];
afterEach(async () => {
  for (const places of OPEN.splice(0)) await places.close();
});

interface HostOptions {
  readonly actor?: Actor;
  readonly fails?: (step: string) => boolean;
  /** The control groups, which outlive the service. */
  readonly groups?: Set<string>;
  readonly failing?: Steps;
  readonly lease?: Lease;
}

/** The places of a host of 8 GiB and 4 CPUs, over real rows; `steps` says what was done to control groups and what was cleared. */
async function host({ failing = new Steps(), groups = new Set(), ...options }: HostOptions = {}) {
  const reservations = new Reservations(createReservationStore(database.db), ["0.0.0.0", "::"]);
  await reservations.load();
  const steps: string[] = [];
  const note = async (step: string) => {
    steps.push(step);
    if (options.fails?.(step)) throw new Error(`${step} failed`);
  };
  const held = new HeldQuotas();
  const ports: PlacesOptions["ports"] = {
    reserve: (request) => reservations.reserve(request, NO_LEASES),
    unreserve: (id) => reservations.remove(id),
    reservations: () => reservations.all(),
  };
  const controlled: PlacesOptions["groups"] = {
    limit: async (name) => {
      await note(`limit ${name}`);
      groups.add(name);
    },
    remove: async (name) => {
      await note(`remove ${name}`);
      groups.delete(name);
    },
    exists: (name) => groups.has(name),
    ofPod: async (uid) => [...groups].find((name) => name === `kubepods/pod${uid}`),
  };
  const places = new HostPlaces({
    instance: "test",
    store: failing.in(createPlaceStore(database.db), "places", ["save", "delete"]),
    ports: failing.in(ports, "ports", ["reserve", "unreserve"], { atomic: ["reserve"] }),
    dynamic: [{ start: 32_768, end: 60_999 }],
    host: { memory: 8 * GIB, cpu: 4 },
    groups: failing.in(controlled, "groups", ["limit", "remove"]),
    held,
    lease: options.lease ?? new Lease(),
    askOwner: async () => options.actor ?? user(7),
    assertAllowed: (actor, request) => assertPlaceAllowed(actor, request, { everything: held.all(), host: HOST }),
    owners: new KeyedLock(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    endAgainMs: 5,
  });
  OPEN.push(places);
  await places.load();
  places.begin((owner) => note(`clear ${owner}`));
  return { places, reservations, steps };
}

function wish(more: Partial<PlaceRequest> = {}): PlaceRequest {
  const size = { memory: 4 * GIB, cpu: 2, pids: 100 };
  return { name: "ci", user: "7", size, ports: [], seconds: undefined, grant: undefined, pod: undefined, ...more };
}

const OWN_PORT = [{ start: port, end: port, protocol: "tcp" }] as const;

it("takes a place with its ports and its control group, and gives it back", async () => {
  const { places, reservations, steps } = await host();
  const place = await places.take(wish({ ports: OWN_PORT }));
  expect(place).toMatchObject({ id: "7@ci", login: "user-7", state: "ready", until: undefined });
  expect(reservations.all()).toMatchObject([{ claimant: { kind: "place", id: "7@ci", name: "ci of user-7" } }]);
  expect(places.groupOf("7@ci")).toBe("test/place-7-ci");
  await places.give("7@ci");
  expect(steps).toEqual(["limit test/place-7-ci", "clear 7@ci", "remove test/place-7-ci"]);
  expect([places.all(), reservations.all(), await createPlaceStore(database.db).load()]).toEqual([[], [], []]);
  expect(() => places.groupOf("7@ci")).toThrow("place 7@ci is not on this host, or has ended: nothing starts in it");
});

const WEB_LIMIT: Constraint = { kind: "host-ports", effect: "limit", ports: [{ start: 9000, end: 9000 }] };
const QUOTA: Constraint = { kind: "quota", effect: "limit", resource: "memory", max: GIB };

it.each<[string, PlaceRequest, Actor, string]>([
  [
    "more than the host has",
    wish({ size: { memory: 9 * GIB, cpu: 5, pids: 1 } }),
    user(7),
    "this host has no room for 9216 MiB of memory (8192 MiB free) and 5 CPUs (4 free) beside its other places",
  ],
  [
    "an administrator",
    wish(),
    { ...HOST_ADMINISTRATOR, id: "7" },
    "root is an administrator, whom no place would limit",
  ],
  [
    "a port that the user may not publish",
    wish({ ports: OWN_PORT }),
    user(7, WEB_LIMIT),
    `host-ports ${port}/tcp is outside the limit set by constraint 1 of group 3 (would pass: 9000/tcp)`,
  ],
  [
    "more than the user's quota",
    wish(),
    user(7, QUOTA),
    "quota memory: 4 GiB more than the 0 bytes in use is over the quota",
  ],
])("refuses %s, and keeps nothing", async (_, request, actor, message) => {
  const { places, reservations } = await host({ actor });
  await expect(places.take(request)).rejects.toThrow(message);
  expect([places.all(), reservations.all(), await createPlaceStore(database.db).load()]).toEqual([[], [], []]);
});

it("counts a place against the quotas of its user, and against the host", async () => {
  const { places } = await host({ actor: user(7, { ...QUOTA, max: 6 * GIB }) });
  await places.take(wish());
  await expect(places.take(wish())).rejects.toThrow("user user-7 has a place ci on this host already");
  await expect(places.take(wish({ name: "two" }))).rejects.toThrow("is over the quota");
  await expect(places.take(wish({ name: "two", size: { memory: GIB, cpu: 2.01, pids: 1 } }))).rejects.toThrow(
    "no room for 2.01 CPUs (2 free)",
  );
  await places.take(wish({ name: "two", size: { memory: GIB, cpu: 2, pids: 1 } }));
});

it("never grants the host's room twice to those who ask at once", async () => {
  const { places } = await host();
  const size = { memory: 3 * GIB, cpu: 1, pids: 10 };
  const asked = Array.from({ length: 12 }, (_, at) => places.take(wish({ name: `n${at}`, size })));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(places.all()).toHaveLength(2);
});

it("undoes a taking whose port another program has", async () => {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  try {
    const { places, reservations, steps } = await host();
    const ports = [{ start: port + 1, end: port + 1, protocol: "tcp" } as const, ...OWN_PORT];
    await expect(places.take(wish({ ports }))).rejects.toThrow(`cannot reserve ${port}/tcp: it is in use`);
    expect([places.all(), reservations.all()]).toEqual([[], []]);
    expect(steps).toEqual(["clear 7@ci", "remove test/place-7-ci"]);
  } finally {
    server.close();
  }
});

it("ends a place whose time is over, and lets it be extended before", async () => {
  const { places, steps } = await host();
  await places.take(wish({ seconds: 600 }));
  await expect(places.extend("7@ci", 60)).rejects.toThrow("lasts until");
  const { until } = await places.extend("7@ci", 1_200);
  expect(Date.parse(until ?? "")).toBeGreaterThan(Date.now() + 600_000);
  await places.take(wish({ name: "short", seconds: 1, size: { memory: GIB, cpu: 1, pids: 1 } }));
  await expect.poll(() => places.all().map(({ id }) => id), { timeout: 10_000 }).toEqual(["7@ci"]);
  expect(steps).toContain("clear 7@short");
});

it("bounds ready places again after a restart, and finishes what ended or was cut off", async () => {
  const before = await host();
  await before.places.take(wish({ ports: OWN_PORT }));
  const store = createPlaceStore(database.db);
  const [ready] = await store.load();
  if (ready === undefined) throw new Error("no row");
  await store.save({ ...ready, id: "7@cut", name: "cut", state: "taken", ports: [] });
  await store.save({ ...ready, id: "7@over", name: "over", state: "ending", ports: [] });
  await store.save({ ...ready, id: "7@late", name: "late", until: "2026-01-01T00:00:00Z", ports: [] });
  const { places, reservations, steps } = await host();
  await expect.poll(() => places.all().map(({ id }) => id)).toEqual(["7@ci"]);
  expect(steps.filter((step) => step.startsWith("clear")).sort()).toEqual([
    "clear 7@cut",
    "clear 7@late",
    "clear 7@over",
  ]);
  expect(steps).toContain("limit test/place-7-ci");
  expect(reservations.all()).toHaveLength(1);
});

it("lets nothing start in a place that is ending, and ends it again after a failure", async () => {
  let fails = true;
  const { places } = await host({ fails: (step) => step.startsWith("clear") && fails });
  await places.take(wish());
  await expect(places.give("7@ci")).rejects.toThrow("clear 7@ci failed");
  expect(() => places.groupOf("7@ci")).toThrow("nothing starts in it");
  await expect(places.askOwner("7@ci")).rejects.toThrow("nothing starts in it");
  expect(() => places.enter(user(7), "ci")).toThrow("user user-7 has no place ci on this host");
  fails = false;
  await places.give("7@ci");
  expect(places.all()).toEqual([]);
});

it("does not bring a place back that ends while it is extended or taken", async () => {
  const { places, steps } = await host();
  const taking = places.take(wish({ seconds: 600 }));
  await expect.poll(() => places.all().length).toBe(1);
  if (places.all()[0]?.state === "taken") await expect(places.give("7@ci")).rejects.toThrow("is just being taken");
  await taking;
  const given = places.give("7@ci");
  await Promise.allSettled([places.extend("7@ci", 900), given, places.extend("7@ci", 1_200)]);
  expect([places.all(), await createPlaceStore(database.db).load()]).toEqual([[], []]);
  expect(steps.at(-1)).toBe("remove test/place-7-ci");
});

it("lets a user into its own place alone", async () => {
  const { places } = await host();
  await places.take(wish());
  expect(places.enter(user(7), "ci")).toMatchObject({ id: "7@ci", login: "user-7", place: { name: "ci", cpu: 2 } });
  expect(() => places.enter(user(8), "ci")).toThrow("user user-8 has no place ci on this host");
  expect(() => places.enter(HOST_ADMINISTRATOR, "ci")).toThrow("an administrator is in no place");
  expect(await places.askOwner("7@ci")).toMatchObject({ id: "7@ci" });
  expect(await places.askOwner("7")).toMatchObject({ id: "7" });
});

/** What there is of places: in memory, in rows, reserved ports, and control groups. */
async function traces({ places, reservations }: Awaited<ReturnType<typeof host>>, groups: ReadonlySet<string>) {
  const rows = (await createPlaceStore(database.db).load()).map(({ id, state }) => `${id} ${state}`);
  const claims = reservations.all().map(({ claimant }) => claimant.id);
  return { memory: places.all().map(({ id, state }) => `${id} ${state}`), rows, claims, groups: [...groups] };
}

const NOTHING = { memory: [], rows: [], claims: [], groups: [] };
const WHOLE = { memory: ["7@ci ready"], rows: ["7@ci ready"], claims: ["7@ci"], groups: ["test/place-7-ci"] };

it.each(FAILURES)(
  "leaves a whole place or nothing of it when a step fails %s or the service is killed there",
  async (failure) => {
    const request = wish({ ports: OWN_PORT });
    for (let step = 0; ; step++) {
      await database.db.delete(placeRows);
      await database.db.delete(portReservations);
      const groups = new Set<string>();
      const failing = new Steps();
      const first = await host({ failing, groups });
      failing.failAt(step, failure, new Error("planted"));
      const work = first.places.take(request).then(() => first.places.give("7@ci"));
      await Promise.race([work.catch(() => undefined), failing.crash]);
      const isOver = failing.calls.length <= step;
      failing.heal();
      const after = failure.startsWith("crash") && !isOver ? await host({ groups }) : first;
      await expect.poll(() => after.places.all().every(({ state }) => state === "ready")).toBe(true);
      const left = await traces(after, groups);
      expect([NOTHING, WHOLE], `after step ${step}, ${failing.calls.at(-1)}`).toContainEqual(left);
      if (left.memory.length > 0) await after.places.give("7@ci");
      expect(await traces(after, groups)).toEqual(NOTHING);
      if (isOver) break;
    }
  },
);

it("lets nobody into a place of the fleet while the host does not hear from it", async () => {
  const lease = new Lease();
  const { places } = await host({ lease });
  await places.take(wish({ grant: 17 }));
  await places.take(wish({ name: "own", size: { memory: GIB, cpu: 1, pids: 10 } }));
  expect(() => places.enter(user(7), "ci")).toThrow("hears nothing from the fleet's directory");
  expect(places.enter(user(7), "own")).toMatchObject({ id: "7@own" });
  lease.renew();
  expect(places.enter(user(7), "ci")).toMatchObject({ id: "7@ci" });
  expect(await createPlaceStore(database.db).load()).toContainEqual(expect.objectContaining({ grant: 17 }));
});

it("is under the control group of its Pod, which it neither makes nor removes", async () => {
  const groups = new Set(["kubepods/podu1"]);
  const { places } = await host({ groups });
  const refused = places.take(wish({ name: "other", pod: "u2" }));
  await expect(refused).rejects.toThrow("this host has no control group of the Pod u2");
  const place = await places.take(wish({ pod: "u1", grant: 4 }));
  expect(place).toMatchObject({ podGroup: "kubepods/podu1", state: "ready" });
  expect(places.groupOf("7@ci")).toBe("kubepods/podu1/test-place-7-ci");
  // The kubelet removes the Pod with all that is below it before anybody tells Berth.
  groups.clear();
  expect(() => places.groupOf("7@ci")).toThrow("the Pod of place ci is not on this host: nothing starts in it");
  groups.add("kubepods/podu1");
  expect(() => places.groupOf("7@ci")).toThrow("the Pod of place ci is not on this host");
  await places.give("7@ci");
  expect([...groups]).toEqual(["kubepods/podu1"]);
});

it("does not make the control group of a Pod that is not there yet after a reboot", async () => {
  const groups = new Set(["kubepods/podu1"]);
  await (await host({ groups })).places.take(wish({ pod: "u1" }));
  groups.clear();
  const { places, steps } = await host({ groups });
  expect(() => places.groupOf("7@ci")).toThrow("the Pod of place ci is not on this host");
  expect([steps, groups.size]).toEqual([[], 0]);
  groups.add("kubepods/podu1");
  await expect.poll(() => steps).toEqual(["limit kubepods/podu1/test-place-7-ci"]);
  expect(places.groupOf("7@ci")).toBe("kubepods/podu1/test-place-7-ci");
});
