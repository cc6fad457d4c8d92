// node bench.mjs [SECTIONS] [ROUNDS]: what a person waits for, Berth against dockerd; with BERTH_REFERENCE also against dockerd 28.5 in it.
// SECTIONS are those of tasks.mjs, by commas; ROUNDS multiplies those of each task. The engines take turns, and who is first alternates too.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../../scripts/ask.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { openBench } from "../open-bench.mjs";
import { endOf } from "../processes.mjs";
import { startBerth, startDockerd, startNewDockerd } from "../start/engines.mjs";
import { REGISTRY, removeAll, TASKS } from "./tasks.mjs";

const chosen = process.argv[2]?.split(",");
const factor = Number(process.argv[3] ?? 1);
const { folder, atEnd, stop } = openBench();
const started = [];

try {
  add(await startDockerd(folder));
  if (process.env.BERTH_REFERENCE !== undefined) add(await startNewDockerd(folder));
  add(await startBerth(folder));
  for (const { socket } of started) await loadBusybox(`unix:${socket}`, "busybox:latest");
  await measure(started.map(toolsOf));
} finally {
  await stop();
}

function add(engine) {
  atEnd(() => engine.close());
  started.push(engine);
}

/** An engine as tasks use it. */
function toolsOf({ name, socket, enter, cpu }) {
  const own = join(folder, `work-${name.replace(/\W/g, "")}`);
  mkdirSync(own);
  const env = { ...process.env, DOCKER_HOST: `unix://${socket}`, DIR: own, ENGINE: name.replace(/\W/g, "") };
  const engine = {
    name,
    cpu,
    round: 0,
    sh: async (script) => {
      const [program, ...args] = [...enter, "bash", "-c", script];
      const child = spawn(program, args, {
        env: { ...env, ROUND: String(engine.round) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let complaint = "";
      child.stderr.on("data", (text) => {
        complaint = (complaint + text).slice(-500);
      });
      const [code] = await once(child, "close");
      if (code !== 0) throw new Error(`${name}: ${script}: ${complaint}`);
    },
    api: async (method, path, json) => {
      const answer = await ask(`unix:${socket}`, { method, path: `/v1.41${path}`, json });
      if (answer.status >= 400) throw new Error(`${name}: ${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.json;
    },
    registry: async () => {
      const settings = join(own, "registry.yml");
      const storage = `storage: {filesystem: {rootdirectory: ${own}/registry}}`;
      writeFileSync(settings, `version: 0.1\n${storage}\nhttp: {addr: "${REGISTRY}"}\n`);
      const [program, ...args] = [...enter, "docker-registry", "serve", settings];
      const registry = spawn(program, args, { stdio: "ignore" });
      atEnd(() => endOf(registry));
    },
  };
  return engine;
}

async function measure(engines) {
  console.log(`interleaved; load average ${loadavg()[0].toFixed(2)}; ${processor()}`);
  console.log("milliseconds: median (least to most), then of the processors; ratio: the engine's median to Berth's\n");
  const tasks = TASKS.filter(({ section }) => chosen === undefined || chosen.includes(section));
  if (tasks.some(({ section }) => section === "registry")) {
    for (const engine of engines) await engine.registry();
    await pause(2500);
  }
  for (const task of tasks) {
    const taken = await roundsOf(task, engines).catch((thrown) =>
      console.log(`${task.what}: FAILED: ${thrown.message}`),
    );
    if (taken !== undefined) report(task, engines, taken);
    if (!task.keeps) for (const engine of engines) await removeAll(engine);
  }
}

/** What each engine took in each round. */
async function roundsOf({ rounds, prepare, before, run, after }, engines) {
  const taken = new Map(engines.map(({ name }) => [name, []]));
  for (const engine of engines) await prepare?.(engine);
  for (let round = 1; round <= rounds * factor; round++) {
    for (const engine of round % 2 === 0 ? engines.toReversed() : engines) {
      engine.round = round;
      await before?.(engine);
      const [begin, used] = [performance.now(), engine.cpu?.()];
      await run(engine);
      const ms = performance.now() - begin;
      taken.get(engine.name).push({ ms, cpu: used === undefined ? undefined : engine.cpu() - used });
      await after?.(engine);
    }
  }
  return taken;
}

function report({ what, goal }, engines, taken) {
  console.log(`${what}${goal === undefined ? "" : ` (goal: ${goal})`}`);
  const berth = median(taken.get("berth").map(({ ms }) => ms));
  for (const { name } of engines) {
    const times = taken.get(name).map(({ ms }) => ms);
    const cpu = taken.get(name).map((round) => round.cpu);
    const spread = `${text(median(times))} (${text(Math.min(...times))} to ${text(Math.max(...times))})`;
    const used = cpu.includes(undefined) ? "" : `  processors ${text(median(cpu))}`;
    const ratio = name === "berth" ? "" : `  ratio ${(median(times) / berth).toFixed(2)}`;
    console.log(`  ${name.padEnd(13)}${spread}${used}${ratio}`);
  }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function text(ms) {
  return ms.toFixed(ms < 100 ? 1 : 0).padStart(7);
}

function processor() {
  return /model name\s*: (.*)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "unknown processor";
}
