// node churn.mjs [MINUTES] [--running COUNT]: five lifecycles of a container a second on a Berth of its own, then a copy, a load and a
// commit of 300 MB. Tells of the service's memory, descriptors and threads at begin and end, and how long `_ping` takes. With --running,
// measures instead how long a service that is killed takes until it answers, and until that many running containers are shown right.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { busyboxImage, tarOf } from "../tools/busybox-image.mjs";
import { ChaosBerth } from "./berth.mjs";
import { claimRange } from "./claim.mjs";

const EVERY_MS = 200;
const PING_EVERY_MS = 50;
const BIG_BYTES = 300 * 2 ** 20;
const WIDTH = 8;

const { values, positionals } = parseArgs({ options: { running: { type: "string" } }, allowPositionals: true });
const minutes = Number(positionals[0] ?? 1);
const running = Number(values.running ?? 0);
if (!(minutes > 0) || !Number.isInteger(running)) {
  console.error("usage: npm run churn -- [MINUTES] [--running COUNT]");
  process.exit(2);
}

const { subnet } = await claimRange();
const berth = await ChaosBerth.start({ instance: `ch${process.pid.toString(36)}`, subnet });
let failed = false;
try {
  if (running > 0) await recovery(running);
  else await churn(minutes * 60_000);
} catch (thrown) {
  failed = true;
  console.log(thrown.stack, berth.endOfLog());
}
await berth.close();
process.exit(failed ? 1 : 0);

async function must(statuses, method, path, body) {
  const answer = await berth.ask(method, path, body);
  if (!statuses.includes(answer.status))
    throw new Error(`${method} ${path} answered ${answer.status} ${answer.message}`);
  return answer;
}

async function lifecycle(name) {
  const body = {
    Image: "busybox",
    Cmd: ["sleep", "60"],
    ExposedPorts: { "80/tcp": {} },
    HostConfig: { PublishAllPorts: true },
  };
  await must([201], "POST", `/containers/create?name=${name}`, body);
  await must([204], "POST", `/containers/${name}/start`);
  await must([204], "POST", `/containers/${name}/stop?t=0`);
  await must([204], "DELETE", `/containers/${name}`);
}

/** What the service's process has. */
function used() {
  const proc = (file) => readFileSync(`/proc/${berth.pid}/${file}`, "utf8");
  return {
    pss: Number(/^Pss:\s+(\d+)/m.exec(proc("smaps_rollup"))?.[1]) / 1024,
    descriptors: readdirSync(`/proc/${berth.pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(proc("status"))?.[1]),
  };
}

function shown({ pss, descriptors, threads }) {
  return `memory ${Math.round(pss)} MiB (PSS), ${descriptors} descriptors, ${threads} threads`;
}

/** Does the work, and tells how long `_ping` takes meanwhile. */
async function pinging(what, work) {
  const times = [];
  let isOver = false;
  const pings = (async () => {
    while (!isOver) {
      const begin = performance.now();
      await must([200], "GET", "/_ping");
      times.push(performance.now() - begin);
      await pause(PING_EVERY_MS);
    }
  })();
  const begin = performance.now();
  await work();
  const seconds = (performance.now() - begin) / 1000;
  isOver = true;
  await pings;
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]?.toFixed(1);
  console.log(
    `${what}: ${seconds.toFixed(1)} s; _ping p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ms of ${times.length}`,
  );
}

async function churn(forMs) {
  for (let n = 0; n < 20; n++) await lifecycle(`warm-${n}`);
  console.log(`begin: ${shown(used())}`);
  let done = 0;
  await pinging("lifecycles", async () => {
    const end = performance.now() + forMs;
    const open = new Set();
    for (let n = 0, next = performance.now(); performance.now() < end; n++, next += EVERY_MS) {
      await pause(Math.max(0, next - performance.now()));
      while (open.size >= WIDTH) await Promise.race(open);
      const one = lifecycle(`churn-${n}`).then(() => {
        done++;
        open.delete(one);
      });
      open.add(one);
    }
    await Promise.all(open);
  });
  console.log(`${done} lifecycles, ${(done / (forMs / 1000)).toFixed(1)} a second`);
  console.log(`end:   ${shown(used())}`);
  await bigThings();
  console.log(`then:  ${shown(used())}`);
}

async function bigThings() {
  const content = Buffer.alloc(BIG_BYTES, "berth");
  const archive = tarOf([{ name: "big", type: "file", mode: 0o644, content }], 0);
  await must([201], "POST", "/containers/create?name=big", { Image: "busybox", Cmd: ["sleep", "600"] });
  await must([204], "POST", "/containers/big/start");
  await pinging("copy of 300 MB into a container", () =>
    must([200], "PUT", "/containers/big/archive?path=/tmp", archive),
  );
  await pinging("copy of 300 MB out of it", () => must([200], "GET", "/containers/big/archive?path=/tmp/big"));
  await pinging("commit of 300 MB", () => must([201], "POST", "/commit?container=big&repo=big&tag=1", {}));
  await must([204], "DELETE", "/containers/big?force=1");
  const image = busyboxImage({ tags: ["big:2"], files: [{ name: "big", type: "file", mode: 0o644, content }] });
  await pinging("load of 300 MB", () => must([200], "POST", "/images/load", image));
}

async function recovery(count) {
  let next = 0;
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      for (let n = next++; n < count; n = next++) {
        await must([201], "POST", `/containers/create?name=r${n}`, { Image: "busybox", Cmd: ["sleep", "86400"] });
        await must([204], "POST", `/containers/r${n}/start`);
      }
    }),
  );
  for (let round = 1; round <= 3; round++) {
    berth.kill("service");
    await pause(500);
    berth.launch();
    await berth.answers();
    const answered = berth.starts.at(-1);
    let right = 0;
    while (right !== count) {
      const { json } = await must([200], "GET", "/containers/json");
      right = json.filter(({ State }) => State === "running").length;
    }
    const whole = performance.now() - berth.launched;
    console.log(`${count} running: answers after ${Math.round(answered)} ms, all shown after ${Math.round(whole)} ms`);
  }
}
