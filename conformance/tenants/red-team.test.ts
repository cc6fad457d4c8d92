import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BerthWithDirectory, removeContainers, startBerthWithDirectory } from "../berth.testing.ts";
import { ATTACKS } from "./attacks.testing.ts";
import type { Battlefield } from "./battlefield.testing.ts";
import { type Pings, shownTimes, startPings } from "./pings.testing.ts";
import { seeded } from "./random.testing.ts";
import { addTenant, type Tenant } from "./tenant.testing.ts";
import { beyondLimits, type Limits } from "./truth.testing.ts";

// A limited user attacks for some time, over several connections at once, while an administrator works: by all attacks at once, and in a
// longer run, as of `npm run redteam`, first by each alone. Outcomes are asserted, times are only shown.

const SECONDS = Number(process.env.REDTEAM_SECONDS ?? 10);
const IS_LONG = SECONDS >= 60;
const SEED = Number(process.env.REDTEAM_SEED ?? 1);
const ATTACKERS = 4;
const MIB = 2 ** 20;
const ONLY = process.env.REDTEAM_ATTACK ?? "";
const NAMES = (Object.keys(ATTACKS) as (keyof typeof ATTACKS)[]).filter((name) => ONLY === "" || name === ONLY);

const folder = mkdtempSync(join(tmpdir(), "berth-redteam-"));
const LIMITS: Limits = {
  containers: 8,
  memory: 256 * MIB,
  cpu: 2,
  pids: 300,
  ports: { start: 24_200, end: 24_219 },
  folder: join(folder, "granted"),
};

let berth: BerthWithDirectory;
let field: Battlefield;
let pings: Pings;
const statuses = new Map<number, number>();
const faults = new Set<string>();
/** Requests without an answer. The service may close the connections of someone who floods it. */
const lost = new Map<string, number>();
let attacks = 0;

beforeAll(async () => {
  mkdirSync(LIMITS.folder);
  berth = await startBerthWithDirectory();
  const quota = (resource: string, max: number) => ({ kind: "quota", effect: "limit", resource, max });
  const eve = await addTenant(berth, "eve", [
    quota("containers", LIMITS.containers),
    quota("memory", LIMITS.memory),
    quota("cpu", LIMITS.cpu),
    quota("pids", LIMITS.pids),
    quota("storage", 256 * MIB),
    { kind: "host-ports", effect: "limit", ports: [LIMITS.ports] },
    { kind: "mounts", effect: "grant", folders: [{ path: LIMITS.folder, readOnly: true }] },
    { kind: "images", effect: "limit", patterns: ["docker.io/library/busybox:*"] },
  ]);
  const bob = await addTenant(berth, "bob");
  const run = async (tenant: Tenant, Cmd: readonly string[], further: object = {}): Promise<string> => {
    const HostConfig = { Memory: 32 * MIB, NanoCpus: 5e8, PidsLimit: 30, ...further };
    const { Id } = (await tenant.ask("POST", "/containers/create", { json: { Image: "busybox", Cmd, HostConfig } }))
      .json;
    expect((await tenant.ask("POST", `/containers/${Id}/start`)).status).toBe(204);
    return Id;
  };
  const victim = await run(bob, ["sleep", "100000"]);
  const own = await run(eve, ["sh", "-c", "yes a line of some length | head -c 25000000; sleep 100000"]);
  expect((await eve.ask("POST", "/networks/create", { json: { Name: "arena" } })).status).toBe(201);
  const flooder = await run(eve, ["sleep", "100000"], { NetworkMode: "arena" });
  execFileSync("gcc", ["-O2", "-static", "-o", join(folder, "flood"), join(import.meta.dirname, "flood.c")]);
  const body = execFileSync("tar", ["c", "-C", folder, "flood"]);
  expect((await eve.ask("PUT", `/containers/${flooder}/archive?path=/`, { body })).status).toBe(200);
  const ask: Tenant["ask"] = (method, path, options) =>
    eve.ask(method, path, options).catch((fault: unknown) => {
      const what = `${method} ${path.slice(0, 120)}: ${String(fault)}`;
      lost.set(what, (lost.get(what) ?? 0) + 1);
      return { status: 0, headers: {}, text: "", json: undefined };
    });
  field = {
    eve: { ...eve, ask },
    random: seeded(SEED),
    limits: LIMITS,
    victim,
    own,
    flooder,
    sockets: new Set<Socket>(),
  };
  pings = await startPings(berth.socket);
});

afterAll(async () => {
  for (const socket of field?.sockets ?? []) socket.destroy();
  await pings?.close();
  await berth?.close();
  rmSync(folder, { recursive: true });
}, 300_000);

/** Does the work until the end, and gives how long each took. */
async function timed(end: number, restMs: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const took: number[] = [];
  while (Date.now() < end) {
    const before = performance.now();
    await work();
    took.push(performance.now() - before);
    await pause(restMs);
  }
  return took.sort((one, other) => one - other);
}

function residentMemory(): number {
  const status = readFileSync(`/proc/${berth.container.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024);
}

async function attack(name: keyof typeof ATTACKS): Promise<void> {
  attacks += 1;
  const { answers, refused = [] } = await ATTACKS[name](field);
  for (const { status, text } of answers) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (text.includes("internal error")) faults.add(`${name}: internal error`);
  }
  for (const { status, text } of refused)
    if (status > 0 && status < 400 && !text.includes('"error"')) faults.add(`${name}: ${status} ${text.slice(0, 200)}`);
}

/** Attackers that do each of these, and pick from them until the end; gives the line on the administrator's pings meanwhile. */
async function phase(title: string, picks: readonly (keyof typeof ATTACKS)[], milliseconds: number): Promise<string> {
  const from = Date.now();
  const left = [...picks];
  const attacker = async (): Promise<void> => {
    while (left.length > 0 || Date.now() < from + milliseconds) {
      await attack(left.pop() ?? field.random.pick(picks));
      // Some attacks wait for no answer, and what measures has to hear of the pings.
      await pause(10);
    }
  };
  await Promise.all(Array.from({ length: ATTACKERS }, attacker));
  const line = shownTimes(title, pings.between(from, Date.now()));
  for (const socket of field.sockets) socket.destroy();
  // Her own alone: the administrator is at work.
  for (const { Id } of (await field.eve.ask("GET", "/containers/json?all=1")).json as readonly { Id: string }[])
    if (![field.own, field.flooder].includes(Id))
      await berth.ask("DELETE", `/containers/${Id}?force=1&v=1`, { timeout: 60_000 }).catch((fault: unknown) => {
        faults.add(`${title}: an administrator cannot remove a container: ${String(fault)}`);
      });
  return line;
}

test("a limited user gets nothing beyond its limits, breaks nothing and leaves nothing", {
  timeout: SECONDS * 1000 + 600_000,
}, async () => {
  const memory = [residentMemory()];
  const began = Date.now();
  await pause(1_000);
  const lines = [shownTimes("_ping before", pings.between(began, Date.now()))];
  let isOver = false;
  const look = async (): Promise<void> => {
    for (const text of await beyondLimits(berth, field.eve.id, LIMITS)) faults.add(`beyond its limits: ${text}`);
    memory.push(residentMemory());
  };
  const looking = (async () => {
    for (; !isOver; await pause(1_000)) await look();
  })();
  const administer = async (): Promise<void> => {
    const json = { Image: "busybox", Cmd: ["sleep", "100"] };
    const { Id } = (await berth.expect([201], "POST", "/containers/create", json)).json;
    await berth.expect([204], "POST", `/containers/${Id}/start`);
    await berth.expect([204], "DELETE", `/containers/${Id}?force=1`);
  };

  const [mixed, lists, runs] = await (async () => {
    const alone = IS_LONG ? NAMES : [];
    for (const name of alone) lines.push(await phase(`_ping in ${name}`, [name], (SECONDS * 500) / NAMES.length));
    const end = Date.now() + SECONDS * 500;
    return await Promise.all([
      phase("_ping in all of them", NAMES, SECONDS * 500),
      timed(end, 500, () => berth.expect([200], "GET", "/containers/json?all=1")),
      timed(end, 2_000, administer),
    ]);
  })().finally(async () => {
    isOver = true;
    await looking;
  });

  const counted = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  console.log(
    [
      `${attacks} attacks of seed ${SEED} in ${SECONDS} s; answers ${counted.join(", ")}`,
      ...lines,
      mixed,
      shownTimes("list", lists),
      shownTimes("create, start and remove", runs),
      `memory of the service: ${memory[0]} MiB before, ${Math.max(...memory)} MiB at most, ${residentMemory()} MiB after`,
      ...[...lost].map(([what, count]) => `without an answer: ${what}${count > 1 ? `, ${count} times` : ""}`),
    ].join("\n"),
  );

  expect([...faults]).toEqual([]);
  expect((await berth.expect([200], "GET", `/containers/${field.victim}/json`)).json.State.Running).toBe(true);
  await removeContainers(berth);
  await expect.poll(() => leftovers()).toEqual([]);
});

/** Mounts and control groups of containers; every container is removed. */
function leftovers(): readonly string[] {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .filter((point) => point.startsWith(berth.state) || point.startsWith(berth.run))
    .filter((point) => point !== `${berth.run}/containerd`);
  const groups = execFileSync("find", ["/sys/fs/cgroup", "-type", "d", "-path", `*${berth.instance}/*`], {
    encoding: "utf8",
  });
  return [...mounts, ...groups.split("\n").filter((group) => /[0-9a-f]{64}$/.test(group))];
}
