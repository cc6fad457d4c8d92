// node bench.mjs [SECONDS]: how long an administrator's pings take while one client streams 500 MB, loads an image of 200 MB, lists 1,000
// containers or reads a million lines of log, over and over for that long; interleaved with quiet spans, so that what else the machine
// does falls on both alike. Pings and works are processes of their own.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ask } from "../../scripts/ask.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { openBench } from "../open-bench.mjs";
import { endOf } from "../processes.mjs";
import { startBerth } from "../start/engines.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const SECONDS = Number(process.argv[2] ?? 5);
const ROUNDS = 3;
const WORKS = ["stream", "load", "list", "logs"];
/** Clock ticks in a second (proc(5)). */
const TICKS = 100;
const { folder, atEnd, stop } = openBench();
let berth;
let pinger;
let worker;

try {
  berth = await startBerth(folder);
  atEnd(berth.close);
  await loadBusybox(`unix:${berth.socket}`, "busybox:latest");
  pinger = fork(join(here, "../../conformance/tenants/pinger.mjs"), [berth.socket]);
  atEnd(() => endOf(pinger));
  worker = fork(join(here, "worker.mjs"), [berth.socket, folder]);
  atEnd(() => endOf(worker));
  await once(worker, "message");
  await measure();
} finally {
  await stop();
}

async function measure() {
  const taken = new Map(["quiet", ...WORKS].map((name) => [name, { pings: [], processor: 0, wall: 0, done: 0 }]));
  console.log(`${ROUNDS} rounds of ${SECONDS} s each; load average ${loadavg()[0].toFixed(2)}`);
  for (let round = 0; round < ROUNDS; round++)
    for (const work of WORKS) {
      await span(taken.get("quiet"), undefined);
      await span(taken.get(work), work);
    }
  for (const [name, { pings, processor, wall, done }] of taken) {
    const sorted = pings.toSorted((one, other) => one - other);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
    const busy = `${((100 * processor) / wall).toFixed(0)} % of a processor`;
    console.log(
      `${name}: ${sorted.length} pings, p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ms; the service took ${busy}; done ${done} times`,
    );
  }
  const { json } = await ask(`unix:${berth.socket}`, { path: "/containers/json?all=1&limit=1" });
  if (json.length !== 1) throw new Error("the engine has lost its containers");
}

/** Notes the pings of one span, with a work or without. */
async function span(into, work) {
  const pings = [];
  const hear = ({ took }) => pings.push(took);
  const before = { processor: processorSeconds(), at: performance.now() };
  pinger.on("message", hear);
  worker.send({ work, milliseconds: SECONDS * 1_000 });
  const [{ done, fault }] = await once(worker, "message");
  pinger.off("message", hear);
  if (fault !== undefined) throw new Error(`${work}: ${fault}`);
  into.pings.push(...pings);
  into.done += done;
  into.processor += processorSeconds() - before.processor;
  into.wall += (performance.now() - before.at) / 1_000;
}

function processorSeconds() {
  const stat = readFileSync(`/proc/${berth.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
