import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { describeDirectory, type Received } from "../directory.testing.ts";
import { addHost, GIB, type SimulatedHost, silence } from "./fleet.testing.ts";

describeDirectory("the fleet", (directory) => {
  const WISH = { name: "ci", host: "h1", memory: GIB, cpus: 1 };

  /** Takes a place while the host follows. */
  async function take(host: SimulatedHost, json: object, token?: string): Promise<Received> {
    let isOver = false;
    const following = host.follow(() => isOver);
    const answer = await directory.send("POST", "/api/fleet/places", {
      json,
      ...(token === undefined ? {} : { token }),
    });
    isOver = true;
    // Wakes the host at once.
    directory.signals.publish({ topic: `host/${host.name}` });
    await following;
    return answer;
  }

  async function places(): Promise<readonly { readonly id: number; readonly state: string }[]> {
    return (await directory.send("GET", "/api/fleet/places")).json;
  }

  async function hostNamed(name: string) {
    const hosts = (await directory.send("GET", "/api/fleet/hosts")).json as readonly { readonly name: string }[];
    return hosts.find((one) => one.name === name);
  }

  /** What is counted and not given back. */
  async function counted(): Promise<Readonly<Record<string, number>>> {
    const rows = await directory.database.db.execute<{ account: string; used: number }>(
      sql`select account, used::float8 as used from directory.fleet_accounts where used <> 0 order by account`,
    );
    return Object.fromEntries(rows.map(({ account, used }) => [account, used]));
  }

  test("a user takes a place, sees it, extends it and gives it back", async () => {
    const ann = await directory.addUser("ann");
    const host = await addHost(directory, "h1");
    const wish = { ...WISH, ports: ["8080", "9000-9001/udp"], seconds: 600 };
    await directory.send("POST", `/api/users/${ann.id}/constraints`, {
      json: { kind: "host-ports", effect: "grant", ports: [{ start: 1, end: 65_535 }] },
    });
    const taken = await take(host, wish, ann.token);
    expect(taken).toMatchObject({
      status: 201,
      json: {
        name: "ci",
        user: { id: ann.id, login: "ann" },
        state: "ready",
        host: "h1",
        address: "tcp://h1.example.test:2375/places/ci",
        ports: ["8080/tcp", "9000-9001/udp"],
      },
    });
    expect(await hostNamed("h1")).toMatchObject({ places: 1, memoryFree: 7 * GIB, cpusFree: 3, isAlive: true });
    const { id } = taken.json;
    const extend = (seconds: number) =>
      directory.send("POST", `/api/fleet/places/${id}/extend`, { token: ann.token, json: { seconds } });
    expect(await extend(60)).toMatchObject({ status: 409 });
    expect((await extend(1_200)).json.secondsLeft).toBeGreaterThan(1_100);
    const stranger = await directory.addUser("bob");
    expect((await directory.send("DELETE", `/api/fleet/places/${id}`, { token: stranger.token })).status).toBe(404);
    const giving = directory.send("DELETE", `/api/fleet/places/${id}`, { token: ann.token });
    await expect.poll(async () => (await places())[0]?.state).toBe("ending");
    await host.settle();
    expect((await giving).status).toBe(204);
    expect([await places(), await counted(), host.has.size]).toEqual([[], {}, 0]);
    const audit = (await directory.send("GET", `/api/audit?user=${ann.id}`)).json as readonly { action: string }[];
    const actions = audit.map(({ action }) => action).filter((action) => action.startsWith("place."));
    expect(actions).toEqual(["place.give", "place.extend", "place.take"]);
  });

  test("a quota holds over all hosts, and a shared one over all members", async () => {
    const ann = await directory.addUser("ann");
    const bob = await directory.addUser("bob");
    const group = await directory.addGroup("web", [ann.id, bob.id]);
    const [h1, h2] = [await addHost(directory, "h1"), await addHost(directory, "h2")];
    const limit = { kind: "quota", resource: "memory", max: 3 * GIB };
    await directory.send("POST", `/api/users/${ann.id}/constraints`, { json: limit });
    const shared = { kind: "shared-quota", effect: "limit", resource: "cpu", max: 3 };
    expect((await directory.send("POST", `/api/groups/${group}/constraints`, { json: shared })).status).toBe(201);
    expect((await take(h1, { ...WISH, memory: 2 * GIB }, ann.token)).status).toBe(201);
    const over = await take(h2, { ...WISH, name: "two", host: "h2", memory: 2 * GIB }, ann.token);
    expect(over).toMatchObject({ status: 403, json: { detail: expect.stringContaining("is over the quota") } });
    expect((await take(h2, { ...WISH, name: "two", host: "h2" }, ann.token)).status).toBe(201);
    const both = await take(h2, { ...WISH, host: "h2", cpus: 2 }, bob.token);
    expect(both.json.detail).toContain("shared-quota cpu: 2 CPUs more than the 2 CPUs that all members have in use");
  });

  test("refusals name what each host has free, and who has a port", async () => {
    const ann = await directory.addUser("ann");
    const [h1] = [await addHost(directory, "h1"), await addHost(directory, "h2")];
    const admin = { ...WISH, userId: ann.id, ports: ["8080"] };
    await directory.send("POST", `/api/users/${ann.id}/constraints`, {
      json: { kind: "host-ports", effect: "grant", ports: [{ start: 8_080, end: 8_080 }] },
    });
    expect((await take(h1, admin)).status).toBe(201);
    for (const [wish, detail] of [
      [
        { ...admin, name: "two" },
        "No such place on h1: h1 lacks 8080/tcp (place ci of ann); h2 has 8192 MiB and 4 CPUs free",
      ],
      [{ ...admin, name: "two", ports: [], memory: 9 * GIB }, "h1 lacks 9216 MiB of memory (7168 MiB free)"],
      [{ ...admin, host: undefined, name: "two" }, "Name a host for the place: h1 lacks 8080/tcp"],
      [{ ...admin, host: "h9" }, "There is no host h9 in the fleet: h1 lacks"],
      [admin, "User ann has a place ci already."],
      [{ ...WISH, userId: 1, name: "two" }, "is an administrator, whom no place would limit"],
    ] as const)
      expect(await directory.send("POST", "/api/fleet/places", { json: wish })).toMatchObject({
        status: 409,
        json: { detail: expect.stringContaining(detail) },
      });
    expect(await counted()).toMatchObject({ [`user/${ann.id}/containers`]: 1 });
  });

  test("a place that its host refuses is not kept, and its taker learns why", async () => {
    const ann = await directory.addUser("ann");
    const host = await addHost(directory, "h1");
    host.refuses = () => "port 8080/tcp is in use by another program";
    const refused = await take(host, WISH, ann.token);
    expect(refused).toMatchObject({ status: 409, json: { detail: "h1: port 8080/tcp is in use by another program" } });
    expect([await places(), await counted()]).toEqual([[], {}]);
  });

  test("refuses what is no place, and keeps nothing", async () => {
    await addHost(directory, "h1");
    for (const [more, detail] of [
      [{ memory: 0 }, "/memory want at least 6 MiB"],
      [{ memory: -1 }, "/memory"],
      [{ memory: 1e300 }, "/memory"],
      [{ memory: GIB + 0.5 }, "/memory want a whole number of bytes"],
      [{ cpus: 0 }, "/cpus want hundredths of a CPU"],
      [{ cpus: 1.001 }, "/cpus want hundredths of a CPU"],
      [{ pids: 0.5 }, "/pids want a whole number of processes"],
      [{ ports: ["0"] }, "/ports/0 must be a host port such as 8080"],
      [{ ports: ["65536"] }, "/ports/0 must be a host port"],
      [{ ports: ["80", "70-90"] }, "/ports names a port twice"],
      [{ ports: ["1-65535"] }, "/ports want at most 1000 ports"],
      [{ seconds: 0 }, "/seconds"],
      [{ name: "../x" }, "/name must be 1 to 30 small letters"],
    ] as const) {
      const answer = await directory.send("POST", "/api/fleet/places", { json: { ...WISH, ...more } });
      expect(answer).toMatchObject({ status: 422, json: { detail: expect.stringContaining(detail) } });
    }
    expect([await places(), await counted()]).toEqual([[], {}]);
  });

  test("a drained host keeps its places and gets no more", async () => {
    const ann = await directory.addUser("ann");
    const host = await addHost(directory, "h1");
    expect((await take(host, WISH, ann.token)).status).toBe(201);
    const drain = (isDraining: boolean) => directory.send("PATCH", "/api/fleet/hosts/h1", { json: { isDraining } });
    expect((await drain(true)).json).toMatchObject({ isDraining: true, places: 1 });
    const refused = await take(host, { ...WISH, name: "two" }, ann.token);
    expect(refused.json.detail).toBe("No such place on h1: h1 takes no more places");
    await drain(false);
    expect((await take(host, { ...WISH, name: "two" }, ann.token)).status).toBe(201);
  });

  test("a silent host gets no places, and one that is forgotten ends what it had before it is back", async () => {
    const ann = await directory.addUser("ann");
    const host = await addHost(directory, "h1");
    expect((await take(host, WISH, ann.token)).status).toBe(201);
    const forget = () => directory.send("DELETE", "/api/fleet/hosts/h1");
    expect((await forget()).json.detail).toContain("The host h1 was heard of within the last 30 seconds");
    await silence(directory, "h1");
    const refused = await directory.send("POST", "/api/fleet/places", {
      json: { ...WISH, name: "two" },
      token: ann.token,
    });
    expect(refused.json.detail).toContain("h1 was last heard of at");
    const given = await directory.send("POST", `/api/fleet/places/${(await places())[0]?.id}/extend`, {
      json: { seconds: 60 },
    });
    expect(given.status).toBe(409);
    expect(await hostNamed("h1")).toMatchObject({ isAlive: false, places: 1 });
    expect((await forget()).status).toBe(204);
    expect([await places(), await counted(), await hostNamed("h1")]).toEqual([[], {}, undefined]);
    // It comes back with its place, and is told to end it before it may register.
    const back = await host.send(host.report());
    expect(back.json).toEqual({ outcome: "unknown", turn: null, places: [] });
    await host.settle();
    expect([host.has.size, await hostNamed("h1")]).toMatchObject([0, { places: 0, isAlive: true }]);
  });

  test("a report that another one overtook changes nothing", async () => {
    const ann = await directory.addUser("ann");
    const host = await addHost(directory, "h1");
    const late = host.report();
    expect((await take(host, WISH, ann.token)).status).toBe(201);
    expect((await host.send(late)).json).toMatchObject({ outcome: "stale" });
    expect(await places()).toMatchObject([{ state: "ready" }]);
    host.restart();
    await host.settle();
    expect(await places()).toMatchObject([{ state: "ready" }]);
  });

  test("a host speaks for itself alone", async () => {
    const ann = await directory.addUser("ann");
    const [h1, h2] = [await addHost(directory, "h1"), await addHost(directory, "h2")];
    expect((await take(h1, WISH, ann.token)).status).toBe(201);
    const [place] = await places();
    const stolen = {
      ...h2.report(),
      places: [{ grant: place?.id, state: "ending", secondsLeft: null, containers: 9 }],
    };
    expect((await h2.send(stolen)).json.places).toEqual([]);
    expect(await places()).toMatchObject([{ state: "ready", containers: 1 }]);
    const { token } = (await directory.send("POST", "/api/tokens", { json: { label: "other", scopes: ["report"] } }))
      .json;
    const foreign = await h1.send(h1.report(), token);
    expect(foreign.json.detail).toContain("Another token speaks for the host h1");
    for (const body of [
      { memory: -1 },
      { memory: 2 ** 53 },
      { cpus: Number.MAX_VALUE },
      { address: "http://x" },
      { turn: 1.5 },
      { places: [{ grant: 1, state: "mine", secondsLeft: null, containers: 0 }] },
    ])
      expect((await h2.send({ ...h2.report(), ...body })).status).toBe(422);
  });
  test("who may not take a place takes none, and learns why", async () => {
    const ann = await directory.addUser("ann");
    const bob = await directory.addUser("bob");
    await addHost(directory, "h1");
    const tokenOf = async (fields: object) =>
      (await directory.send("POST", "/api/tokens", { json: { label: "x", userId: ann.id, ...fields } })).json.token;
    const [reads, ends] = [await tokenOf({ scopes: ["read"] }), new Date(Date.now() + 60_000).toISOString()];
    const expired = await tokenOf({ scopes: ["write"], expiresAt: ends });
    const revoked = await directory.send("POST", "/api/tokens", {
      json: { label: "y", scopes: ["write"], userId: ann.id },
    });
    await directory.send("DELETE", `/api/tokens/${revoked.json.id}`);
    directory.clock = new Date(Date.parse(ends) + 1_000);
    for (const [token, json, status, detail] of [
      [null, WISH, 401, ""],
      ["bth_nobodys", WISH, 401, ""],
      [expired, WISH, 401, ""],
      [revoked.json.token, WISH, 401, ""],
      [reads, WISH, 403, "scope"],
      [bob.token, { ...WISH, userId: ann.id }, 403, "Only administrators take places for other users"],
      [ann.token, { ...WISH, ports: ["80"] }, 403, "host-ports 80/tcp"],
      [undefined, { ...WISH, userId: 4_711 }, 404, ""],
    ] as const) {
      const answer = await directory.send("POST", "/api/fleet/places", {
        json,
        ...(token === undefined ? {} : { token }),
      });
      expect({ status: answer.status, text: answer.text }, `${token}`).toMatchObject({
        status,
        text: expect.stringContaining(detail),
      });
    }
    expect([await places(), await counted()]).toEqual([[], {}]);
  });

  test("another user's place is neither extended nor given back, nor one that is no place", async () => {
    const ann = await directory.addUser("ann");
    const bob = await directory.addUser("bob");
    const host = await addHost(directory, "h1");
    const { id } = (await take(host, { ...WISH, seconds: 600 }, ann.token)).json;
    const extend = (of: unknown, json: object, token: string) =>
      directory.send("POST", `/api/fleet/places/${of}/extend`, { json, token });
    for (const [answer, status] of [
      [extend(id, { seconds: 900 }, bob.token), 404],
      [directory.send("DELETE", `/api/fleet/places/${id}`, { token: bob.token }), 404],
      [extend(id, { seconds: 0 }, ann.token), 422],
      [extend(id, { seconds: 1.5 }, ann.token), 422],
      [extend(id, { seconds: 1e12 }, ann.token), 422],
      [extend(9_999, { seconds: 900 }, ann.token), 404],
      [extend("x", { seconds: 900 }, ann.token), 400],
      [directory.send("DELETE", "/api/fleet/places/0", { token: ann.token }), 400],
    ] as const)
      expect((await answer).status).toBe(status);
    expect(await places()).toMatchObject([{ id, state: "ready", secondsLeft: expect.any(Number) }]);
  });

  test("a host that lies harms nobody but those who take its places", async () => {
    const ann = await directory.addUser("ann");
    const [liar, h2] = [await addHost(directory, "h1"), await addHost(directory, "h2")];
    expect((await take(h2, { ...WISH, host: "h2" }, ann.token)).status).toBe(201);
    const [own] = await places();
    const there = { state: "ready", secondsLeft: null, containers: 0 };
    // It says that it shrank below what it holds: it gets no more, and what it holds stays.
    expect((await take(liar, { ...WISH, name: "two", memory: 6 * GIB }, ann.token)).status).toBe(201);
    const [, second] = await places();
    const held = { grant: second?.id, ...there };
    let { json } = await liar.send({ ...liar.report(), memory: GIB, places: [held] });
    const refused = await directory.send("POST", "/api/fleet/places", {
      json: { ...WISH, name: "three" },
      token: ann.token,
    });
    expect(refused).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("h1 lacks 1024 MiB of memory") },
    });
    // It reports another's place, one of nobody, and its own twice; and refuses another's.
    const foreign = [own?.id, 4_711].map((grant) => ({ grant, ...there }));
    const report = { ...liar.report(), turn: json.turn, places: [held, held, ...foreign] };
    ({ json } = await liar.send({ ...report, refused: [{ grant: own?.id, reason: "mine" }] }));
    expect(json.places.map(({ grant }: { grant: number }) => grant)).toEqual([second?.id]);
    // It says that it has more than it has: what it then cannot hold it refuses, and nothing stays counted.
    await liar.send({ ...liar.report(), turn: json.turn, memory: 2 ** 50, places: [held] });
    await liar.settle();
    liar.refuses = () => "this host has no room";
    await h2.settle();
    expect((await places()).map(({ id, state }) => [id, state])).toEqual([
      [own?.id, "ready"],
      [second?.id, "ready"],
    ]);
  });

  test("what a removed user had ends", async () => {
    const ann = await directory.addUser("ann");
    const host = await addHost(directory, "h1");
    expect((await take(host, WISH, ann.token)).status).toBe(201);
    expect((await directory.send("DELETE", `/api/users/${ann.id}`)).status).toBe(204);
    await host.settle();
    expect([await places(), await counted(), host.has.size]).toEqual([[], {}, 0]);
  });
});
