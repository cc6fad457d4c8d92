// node bench.mjs [ROUNDS]: create and start until the published port answers, Berth against dockerd; with BERTH_REFERENCE also against
// dockerd 28.5 in it, and against podman where that is installed.
// The rounds alternate, and which goes first alternates too, so that what else the machine does falls on all alike.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { openBench } from "../open-bench.mjs";
import { startBerth, startDockerd, startNewDockerd, startPodman } from "./engines.mjs";
import { openFloor } from "./floor.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const rounds = Number(process.argv[2] ?? 20);
const IMAGE = "busybox:latest";
const { folder, atEnd, stop } = openBench();
const hostPort = String(await freePort());
const others = [startDockerd];
if (process.env.BERTH_REFERENCE !== undefined) others.push(startNewDockerd);
if (spawnSync("podman", ["--version"]).status === 0) others.push(startPodman);

try {
  const engines = [];
  for (const start of [...others, startBerth]) {
    const engine = await start(folder);
    atEnd(engine.close);
    engines.push(engine);
  }
  for (const { socket } of engines) await loadBusybox(`unix:${socket}`, IMAGE);
  const clients = engines.map(clientOf);
  for (const { close } of clients) atEnd(close);
  await measure(clients);
  await measureFloor(engines.at(-1));
} finally {
  await stop();
}

function clientOf({ name, socket, enter, cpu }) {
  const [program, ...args] = [...enter, process.execPath, join(here, "client.mjs"), socket, IMAGE, hostPort];
  const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return {
    name,
    cpu,
    close: () => child.kill(),
    run: (task, argument) =>
      new Promise((settle, reject) => {
        child.once("message", ({ value, error }) =>
          error === undefined ? settle(value) : reject(new Error(`${name}: ${error}`)),
        );
        child.send({ task, argument });
      }),
  };
}

async function measure(clients) {
  console.log(`${rounds} rounds, interleaved; image ${IMAGE}; load average ${loadavg()[0].toFixed(2)}; ${cpu()}`);
  for (const client of [...clients, ...clients]) await client.run("round");
  const taken = new Map(clients.map(({ name }) => [name, []]));
  for (let n = 0; n < rounds; n++) {
    for (const client of n % 2 === 0 ? clients : clients.toReversed()) {
      const used = client.cpu?.();
      const round = await client.run("round");
      taken.get(client.name).push({ ...round, cpu: used === undefined ? undefined : client.cpu() - used });
    }
  }
  for (const [key, label] of [
    ["up", "create + start until the port answers"],
    ["start", "of which until start returned"],
    ["rm", "remove, running"],
    ["cpu", "processor time of all of it"],
  ])
    report(label, new Map([...taken].map(([name, all]) => [name, all.map((round) => round[key])])));

  const lists = new Map(clients.map(({ name }) => [name, []]));
  const inspects = new Map(clients.map(({ name }) => [name, []]));
  for (const client of clients) await client.run("fill", 50);
  for (let n = 0; n < 25; n++) for (const client of clients) lists.get(client.name).push(await client.run("list"));
  for (let n = 0; n < 3; n++)
    for (const client of clients) inspects.get(client.name).push(await client.run("inspect", 1000));
  report("list of 50 containers", lists);
  console.log("\ninspect, 8 at a time, best of 3 s");
  const best = (name) => Math.max(...inspects.get(name));
  for (const { name } of clients)
    console.log(
      `  ${name.padEnd(12)} ${best(name).toFixed(0)}/s${name === "berth" ? "" : `, berth ${(best("berth") / best(name)).toFixed(2)}x`}`,
    );
}

/** After the engines' rounds, which another client's containers would delay. */
async function measureFloor(berth) {
  const floor = await openFloor(berth, folder, IMAGE);
  const taken = { runc: [], ctr: [] };
  for (let n = 0; n < rounds; n++) for (const how of ["runc", "ctr"]) taken[how].push(await floor[how]());
  await floor.close();
  console.log("\nthe same without an engine, the bundle and its network ready, until the port answers");
  for (const [how, name] of [
    ["runc", "runc run"],
    ["ctr", "ctr run"],
  ])
    console.log(row(name, taken[how]));
}

function at(list, part) {
  return [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))];
}

function row(name, list) {
  const column = (label, part) => `   ${label} ${at(list, part).toFixed(1).padStart(7)}`;
  return `  ${name.padEnd(12)}${column("p50", 0.5)}${column("p90", 0.9)}${column("min", 0)} ms`;
}

/** The milliseconds of each engine that has them, and how many times as long as Berth it took. */
function report(label, taken) {
  console.log(`\n${label}`);
  const berth = taken.get("berth");
  for (const [name, list] of taken) {
    if (list.includes(undefined)) continue;
    const ratio = (part) => `${(at(list, part) / at(berth, part)).toFixed(2)}x`;
    console.log(row(name, list) + (name === "berth" ? "" : `   ratio p50 ${ratio(0.5)}, p90 ${ratio(0.9)}`));
  }
}

/** Berth's namespace is the machine's own, where others have ports too. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

function cpu() {
  const [, model = "unknown processor"] = /model name\s*: (.*)/.exec(readFileSync("/proc/cpuinfo", "utf8")) ?? [];
  return model;
}
