// node bench.mjs [COUNT]: the memory of Berth and of dockerd, idle and with COUNT running containers (100) with a port each. It is the
// proportional set size of all processes of an engine, without those of its containers: a page that several map counts once.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ask } from "../../scripts/ask.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { openBench } from "../open-bench.mjs";
import { endOf } from "../processes.mjs";
import { startBerth, startDockerd } from "../start/engines.mjs";
import { memoryOf } from "./memory.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const DIRECTORY = "127.0.0.1:7798";
const COUNT = Number(process.argv[2] ?? 100);
const WIDTH = 8;
/** After this long, what a start needed is given back. */
const SETTLE_MS = 60_000;
const WISH = {
  Image: "busybox:latest",
  Cmd: ["sleep", "6000"],
  ExposedPorts: { "80/tcp": {} },
  HostConfig: { PortBindings: { "80/tcp": [{ HostPort: "" }] } },
};

const { folder, atEnd, stop } = openBench();

try {
  const totals = {};
  for (const [name, start] of [
    ["dockerd", () => startDockerd(folder)],
    ["berth", () => startBerth(folder)],
  ]) {
    const engine = await start();
    atEnd(engine.close);
    await pause(SETTLE_MS);
    const idle = await report(`${name}, idle`, engine);
    if (name === "berth") {
      const directory = await startDirectory(engine.env);
      await pause(SETTLE_MS);
      await report("berth and its directory, idle", engine, directory);
      await directory.close();
    }
    await loadBusybox(`unix:${engine.socket}`, "busybox:latest");
    await startMany(engine.socket);
    await pause(SETTLE_MS);
    totals[name] = { idle, running: await report(`${name}, ${COUNT} running`, engine) };
    await removeMany(engine.socket);
  }
  for (const state of ["idle", "running"])
    console.log(`${state}: ratio ${(totals.dockerd[state] / totals.berth[state]).toFixed(2)}`);
} finally {
  await stop();
}

/** The directory from the build, over the same Postgres. */
async function startDirectory(settings) {
  const env = { ...process.env, ...settings, BERTH_DIRECTORY_LISTEN: DIRECTORY };
  const child = spawn(process.execPath, [join(root, "apps/directory/dist/bundle/main.js")], { env, stdio: "ignore" });
  const directory = { pid: child.pid, close: () => endOf(child) };
  atEnd(directory.close);
  while ((await ask(`http://${DIRECTORY}/readyz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`the directory ended with code ${child.exitCode}`);
    await pause(50);
  }
  return directory;
}

/** Prints what the programs of an engine and of others take, and answers their sum in MiB. */
async function report(what, engine, ...others) {
  const pids = [engine, ...others].map(({ pid }) => pid);
  const programs = memoryOf({ folder: join(folder, engine.name), pids, groups: engine.groups });
  const sum = programs.reduce((total, { pss }) => total + pss, 0);
  console.log(`${what}: ${sum.toFixed(0)} MiB`);
  for (const { program, count, pss } of programs) console.log(`  ${pss.toFixed(1).padStart(7)}  ${count} × ${program}`);
  return sum;
}

async function must(socket, method, path, json) {
  const answer = await ask(`unix:${socket}`, { method, path: `/v1.41${path}`, json });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

async function each(items, work) {
  const left = [...items];
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
    }),
  );
}

function startMany(socket) {
  return each(Array(COUNT).fill(WISH), async (wish) => {
    const { Id } = await must(socket, "POST", "/containers/create", wish);
    await must(socket, "POST", `/containers/${Id}/start`);
  });
}

async function removeMany(socket) {
  const all = await must(socket, "GET", "/containers/json?all=1");
  await each(all, ({ Id }) => must(socket, "DELETE", `/containers/${Id}?force=1`));
}
