// node chaos.mjs [ROUNDS] [SEED] [--kill PART[,PART…]]: kills parts of a Berth of its own at random moments of mixed traffic, and
// compares what clients were promised with what is there. Ends badly where something was lost or leaked. Each round kills one PART of
// `service` (unless told), `containerd` and `postgres`. SIGINT ends it after the round that runs.
// CHAOS_KEEP=1 keeps the state.
import { parseArgs } from "node:util";
import { ChaosBerth } from "./berth.mjs";
import { claimRange } from "./claim.mjs";
import { Run } from "./run.mjs";

const PARTS = ["service", "containerd", "postgres"];
const SLOTS = 8;

const { values, positionals } = parseArgs({
  options: { kill: { type: "string", default: "service" } },
  allowPositionals: true,
});
const [rounds = 20, seed = 1] = positionals.map(Number);
const kills = values.kill.split(",");
if (!Number.isInteger(rounds) || !Number.isInteger(seed) || rounds < 1 || kills.some((part) => !PARTS.includes(part))) {
  console.error(`usage: npm run chaos -- [ROUNDS] [SEED] [--kill PART[,PART...]], PART one of ${PARTS.join(", ")}`);
  process.exit(2);
}

let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    isEnding = true;
  });

const began = performance.now();
const { base, subnet } = await claimRange();
const berth = await ChaosBerth.start({ instance: `cx${process.pid.toString(36)}`, subnet });
const run = new Run(berth, { seed, slots: SLOTS, base, kills, say: (line) => console.log(line) });
try {
  await run.play(rounds, () => isEnding);
} catch (thrown) {
  run.fault("the run itself", thrown.stack);
}
if (run.faults.length > 0) console.log(`The end of the service's log:\n${berth.endOfLog()}`);
if (process.env.CHAOS_KEEP) console.log(`kept: ${berth.folder}`);
else
  await berth.close().catch((thrown) => {
    run.fault("cannot be taken away", thrown.message);
    berth.removeFolder();
  });

const starts = berth.starts.toSorted((one, other) => one - other);
console.log(
  `${Math.min(run.round, rounds)} rounds of seed ${seed}, killing ${values.kill}: lost ${run.faults.length}, leaked ${run.leaks}; ` +
    `${run.calls} calls answered; starts took ${Math.round(starts[starts.length >> 1])} ms (median), ${Math.round(starts.at(-1))} ms (most); ${Math.round((performance.now() - began) / 1000)} s`,
);
process.exit(run.faults.length + run.leaks > 0 ? 1 : 0);
