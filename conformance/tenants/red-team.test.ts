import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../../scripts/ask.mjs";
import { type BerthWithDirectory, removeContainers, startBerthWithDirectory } from "../berth.testing.ts";
import { ATTACKS, type Battlefield } from "./attacks.testing.ts";
import { seeded } from "./random.testing.ts";
import { addTenant, serviceToken } from "./tenant.testing.ts";
import { beyondLimits, type Limits } from "./truth.testing.ts";

// A limited user attacks for some time, over several connections at once, while an administrator works. `npm run redteam` runs it for
// longer. Outcomes are asserted, times are only shown.

const SECONDS = Number(process.env.REDTEAM_SECONDS ?? 10);
const SEED = Number(process.env.REDTEAM_SEED ?? 1);
const ATTACKERS = 4;
const MIB = 2 ** 20;

const folder = mkdtempSync(join(tmpdir(), "berth-redteam-"));
const LIMITS: Limits = {
  containers: 6,
  memory: 128 * MIB,
  cpu: 1,
  pids: 200,
  ports: { start: 24_200, end: 24_219 },
  folder: join(folder, "granted"),
};

let berth: BerthWithDirectory;
let field: Battlefield;

beforeAll(async () => {
  mkdirSync(LIMITS.folder);
  berth = await startBerthWithDirectory(async (directory) => {
    const file = join(directory.folder, "directory-token");
    writeFileSync(file, await serviceToken(directory), { mode: 0o600 });
    return { BERTH_DIRECTORY_TOKEN_FILE: file };
  });
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
  const run = async (tenant: typeof eve, Cmd: readonly string[]): Promise<string> => {
    const json = { Image: "busybox", Cmd, HostConfig: { Memory: 16 * MIB, NanoCpus: 2e8, PidsLimit: 20 } };
    const { Id } = (await tenant.ask("POST", "/containers/create", { json })).json;
    expect((await tenant.ask("POST", `/containers/${Id}/start`)).status).toBe(204);
    return Id;
  };
  const victim = await run(bob, ["sleep", "100000"]);
  const own = await run(eve, ["sh", "-c", "yes a line of some length | head -c 25000000; sleep 100000"]);
  field = { eve, random: seeded(SEED), limits: LIMITS, victim, own, sockets: new Set<Socket>() };
});

afterAll(async () => {
  for (const socket of field?.sockets ?? []) socket.destroy();
  await berth?.close();
  rmSync(folder, { recursive: true });
}, 300_000);

/** Does the work until the end, and gives how long each took. */
async function timed(end: number, restMs: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const took: number[] = [];
  while (performance.now() < end) {
    const before = performance.now();
    await work();
    took.push(performance.now() - before);
    await pause(restMs);
  }
  return took.sort((one, other) => one - other);
}

function shown(name: string, took: readonly number[]): string {
  const at = (share: number) => (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0).toFixed(1);
  return `${name}: ${took.length} calls, median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ms`;
}

function residentMemory(): number {
  const status = readFileSync(`/proc/${berth.container.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024);
}

test("a limited user gets nothing beyond its limits, breaks nothing and leaves nothing", {
  timeout: SECONDS * 1000 + 180_000,
}, async () => {
  const names = Object.keys(ATTACKS) as (keyof typeof ATTACKS)[];
  const statuses = new Map<number, number>();
  const faults = new Set<string>();
  const memory = [residentMemory()];
  const ping = () => ask(`unix:${berth.socket}`, { path: "/_ping" });
  const idle = await timed(performance.now() + 1_000, 20, ping);
  const end = performance.now() + SECONDS * 1000;
  let attacks = 0;
  let dropped = 0;

  const attack = async (): Promise<void> => {
    while (performance.now() < end) {
      const name = field.random.pick(names);
      attacks += 1;
      // The service may close the connections of someone who floods it.
      const { answers, refused = [] } = await ATTACKS[name](field).catch((fault: unknown) => {
        if (!/socket hang up|ECONNRESET|no answer from/.test(String(fault))) throw fault;
        dropped += 1;
        return { answers: [], refused: [] };
      });
      for (const { status, text } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (text.includes("internal error")) faults.add(`${name}: internal error`);
      }
      for (const { status, text } of refused)
        if (status < 400 && !text.includes('"error"')) faults.add(`${name}: ${status} ${text.slice(0, 200)}`);
    }
  };
  const look = async (): Promise<void> => {
    for (const text of await beyondLimits(berth, field.eve.id, LIMITS)) faults.add(`beyond its limits: ${text}`);
    memory.push(residentMemory());
  };
  const administer = async (): Promise<void> => {
    const json = { Image: "busybox", Cmd: ["sleep", "100"] };
    const { Id } = (await berth.expect([201], "POST", "/containers/create", json)).json;
    await berth.expect([204], "POST", `/containers/${Id}/start`);
    await berth.expect([204], "DELETE", `/containers/${Id}?force=1`);
  };

  const [pings, lists, runs] = await Promise.all([
    timed(end, 20, ping),
    timed(end, 500, () => berth.expect([200], "GET", "/containers/json?all=1")),
    timed(end, 2_000, administer),
    timed(end, 1_000, look),
    ...Array.from({ length: ATTACKERS }, attack),
  ]);
  for (const socket of field.sockets) socket.destroy();

  const counted = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  console.log(
    [
      `${attacks} attacks of seed ${SEED} in ${SECONDS} s; answers ${counted.join(", ")}; ${dropped} without an answer`,
      shown("_ping before", idle),
      shown("_ping meanwhile", pings),
      shown("list", lists),
      shown("create, start and remove", runs),
      `memory of the service: ${memory[0]} MiB before, ${Math.max(...memory)} MiB at most, ${residentMemory()} MiB after`,
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
    .filter((point) => point.startsWith(berth.state) || point.startsWith(berth.run));
  const groups = execFileSync("find", ["/sys/fs/cgroup", "-type", "d", "-path", `*${berth.instance}/*`], {
    encoding: "utf8",
  });
  return [...mounts, ...groups.split("\n").filter((group) => /[0-9a-f]{64}$/.test(group))];
}
