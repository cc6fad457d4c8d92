// node bench.mjs [ROUNDS]: create and start until the published port answers, Berth against dockerd.
// The rounds alternate, and which goes first alternates too, so that what else the machine does falls on both alike.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { openBench } from "../open-bench.mjs";
import { startBerth, startDockerd } from "./engines.mjs";
import { openFloor } from "./floor.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const rounds = Number(process.argv[2] ?? 20);
const IMAGE = "busybox:latest";
const { folder, atEnd, stop } = openBench();
const hostPort = String(await freePort());
const engines = [];
const clients = [];

try {
  for (const start of [startDockerd, startBerth]) {
    const engine = await start(folder);
    atEnd(engine.close);
    engines.push(engine);
  }
  for (const engine of engines) {
    await loadBusybox(`unix:${engine.socket}`, IMAGE);
    const client = clientOf(engine);
    atEnd(client.close);
    clients.push(client);
  }
  await measure(...clients);
  await measureFloor(engines[1]);
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

async function measure(dockerd, berth) {
  console.log(`${rounds} rounds, interleaved; image ${IMAGE}; load average ${loadavg()[0].toFixed(2)}; ${cpu()}`);
  for (const client of [dockerd, berth, dockerd, berth]) await client.run("round");
  const taken = { dockerd: [], berth: [] };
  for (let n = 0; n < rounds; n++) {
    for (const client of n % 2 === 0 ? [dockerd, berth] : [berth, dockerd]) {
      const used = client.cpu();
      const round = await client.run("round");
      taken[client.name].push({ ...round, cpu: client.cpu() - used });
    }
  }
  for (const [key, label] of [
    ["up", "create + start until the port answers"],
    ["start", "of which until start returned"],
    ["rm", "remove, running"],
    ["cpu", "processor time of all of it"],
  ]) {
    const of = (name) => taken[name].map((round) => round[key]);
    report(label, "ms", of("dockerd"), of("berth"));
  }

  const lists = { dockerd: [], berth: [] };
  const inspects = { dockerd: [], berth: [] };
  for (const client of [dockerd, berth]) await client.run("fill", 50);
  for (let n = 0; n < 25; n++) for (const client of [dockerd, berth]) lists[client.name].push(await client.run("list"));
  for (let n = 0; n < 3; n++)
    for (const client of [dockerd, berth]) inspects[client.name].push(await client.run("inspect", 1000));
  report("list of 50 containers", "ms", lists.dockerd, lists.berth);
  const best = (name) => Math.max(...inspects[name]).toFixed(0);
  console.log(
    `\ninspect, 8 at a time, best of 3 s\n  dockerd ${best("dockerd")}/s   berth ${best("berth")}/s   ratio ${(best("berth") / best("dockerd")).toFixed(2)}x`,
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
    console.log(row(name, "ms", taken[how]));
}

function at(list, part) {
  return [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))];
}

function row(name, unit, list) {
  return `  ${name.padEnd(8)} p50 ${at(list, 0.5).toFixed(1).padStart(7)}   p90 ${at(list, 0.9).toFixed(1).padStart(7)}   min ${at(list, 0).toFixed(1).padStart(7)} ${unit}`;
}

function report(label, unit, dockerd, berth) {
  const ratio = (part) => `${(at(dockerd, part) / at(berth, part)).toFixed(2)}x`;
  console.log(
    `\n${label}\n${row("dockerd", unit, dockerd)}\n${row("berth", unit, berth)}\n  dockerd / berth: p50 ${ratio(0.5)}, p90 ${ratio(0.9)}, min ${ratio(0)}`,
  );
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
