// node fuzz.mjs [COUNT] [SEED]: asks a Berth of its own COUNT mutated requests of the whole engine API. Ends badly where one is answered
// with an internal error, or not within half a minute, or where the service ends. The same seed makes the same requests.
import { parseArgs } from "node:util";
import { ChaosBerth } from "./berth.mjs";
import { claimRange } from "./claim.mjs";
import { mutated } from "./mutate.mjs";
import { pick, randomOf } from "./random.mjs";
import { rawAnswer } from "./raw.mjs";
import { REQUESTS, SET_UP } from "./requests.mjs";

/** Requests at the same time, and between two cleanings. */
const WIDTH = 8;
const BATCH = 1_000;

/** What waits for something that may never happen: no answer is no fault. */
const WAITS = /wait|attach|events|logs|stats|exec|stop|restart|top|session/;

const { positionals } = parseArgs({ allowPositionals: true });
const [count = 5_000, seed = 1] = positionals.map(Number);
if (!Number.isInteger(count) || !Number.isInteger(seed) || count < 1) {
  console.error("usage: npm run fuzz -- [COUNT] [SEED]");
  process.exit(2);
}

const random = randomOf(seed);
const faults = [];
const statuses = new Map();
const refusals = new Map();
const began = performance.now();
const { subnet } = await claimRange();
const berth = await ChaosBerth.start({ instance: `fz${process.pid.toString(36)}`, subnet });
const first = berth.pid;
try {
  for (let asked = 0; asked < count; asked += BATCH) await batch(Math.min(BATCH, count - asked));
} catch (thrown) {
  faults.push(`the run itself: ${thrown.stack}`);
}
if (berth.isOver || berth.pid !== first) faults.push("the service ended");
if (faults.length > 0) console.log(`The end of the service's log:\n${berth.endOfLog()}`);
await berth.close().catch((thrown) => {
  faults.push(`cannot be taken away: ${thrown.message}`);
  berth.removeFolder();
});
const sum = [...statuses].sort(([one], [other]) => one - other).map(([status, times]) => `${times} × ${status}`);
for (const [refusal, times] of refusals) console.log(`  ${times} × ${refusal}`);
for (const fault of faults) console.log(`  ${fault}`);
const seconds = Math.round((performance.now() - began) / 1000);
console.log(`${count} mutated requests of seed ${seed}: ${faults.length} faults; ${sum.join(", ")}; ${seconds} s`);
process.exit(faults.length > 0 ? 1 : 0);

async function batch(size) {
  await clear();
  for (const request of SET_UP) await rawAnswer(berth.socket, request);
  let left = size;
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      while (left-- > 0 && !berth.isOver) await askOne(mutated(random, pick(random, REQUESTS)));
    }),
  );
  const { status } = await rawAnswer(berth.socket, { method: "GET", path: "/_ping", headers: {}, body: undefined });
  if (status !== 200) faults.push(`_ping answered ${status}`);
}

async function askOne(request) {
  const { status, text } = await rawAnswer(berth.socket, request);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const shown = () =>
    `${request.method} ${request.path.slice(0, 300)} ${JSON.stringify(request.headers).slice(0, 300)} ${request.body?.toString("latin1").slice(0, 500) ?? ""}`;
  if (status === -1 || (status === 0 && !WAITS.test(request.path)))
    faults.push(`${status === 0 ? "no answer" : "cut off"}: ${shown()}`);
  if (status !== 500 && status !== 503) return;
  const [head = "", said = ""] = text.split("\r\n\r\n", 2);
  // Clients below API 1.24 get plain text.
  const message = /text\/plain/i.test(head) ? said.trim() : /"message":("(?:[^"\\]|\\.)*")/.exec(said)?.[1];
  if (!message || message.includes("internal error")) faults.push(`${status} ${message}: ${shown()}`);
  else {
    const kind = `${status} ${message}`.replace(/[0-9a-f]{12,}/g, "ID").slice(0, 120);
    refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
  }
}

/** Removes what requests made. */
async function clear() {
  const list = async (path) => (await berth.ask("GET", path)).json ?? [];
  for (const { Id } of await list("/containers/json?all=1")) await berth.ask("DELETE", `/containers/${Id}?force=1&v=1`);
  for (const { Id, Name } of await list("/networks"))
    if (!["bridge", "host", "none"].includes(Name)) await berth.ask("DELETE", `/networks/${Id}`);
  for (const { Name } of (await list("/volumes")).Volumes ?? [])
    await berth.ask("DELETE", `/volumes/${encodeURIComponent(Name)}?force=1`);
  for (const { Id, RepoTags } of await list("/images/json"))
    if (!RepoTags?.includes("busybox:latest")) await berth.ask("DELETE", `/images/${Id}?force=1`);
  const { status } = await berth.ask("GET", "/images/busybox:latest/json");
  if (status !== 200) await berth.loadBusybox();
}
