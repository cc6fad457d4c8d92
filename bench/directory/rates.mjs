// How much is done a second, and what processor time one costs on either side.
import { readdirSync, readFileSync } from "node:fs";

const ROUNDS = 5;
const SECONDS = 3;
const TICKS_PER_SECOND = 100;

/**
 * Keeps each side busy in turn, round after round, so that whatever else the machine does meets all alike.
 * @param sides by name: `work` to do once, `inFlight` at a time (16), for which the processes `servers` work.
 * @returns by name: the median round's rate a second, and the median microseconds of processor time that one costs here
 *   (`client`) and in the servers with their child processes (`server`).
 */
export async function interleave(sides) {
  const measured = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  // No side is measured before its code is compiled.
  for (const side of Object.values(sides)) await saturate(side);
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, side] of Object.entries(sides)) measured[name].push(await saturate(side));
  return Object.fromEntries(
    Object.entries(measured).map(([name, rounds]) => [
      name,
      Object.fromEntries(["rate", "client", "server"].map((of) => [of, median(rounds.map((round) => round[of]))])),
    ]),
  );
}

async function saturate({ work, inFlight = 16, servers = [] }) {
  const spent = () => servers.reduce((sum, pid) => sum + processorTime(pid), 0);
  const [before, own] = [spent(), process.cpuUsage()];
  const begin = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async (_, worker) => {
      for (; performance.now() < begin + SECONDS * 1_000; done++) await work(worker);
    }),
  );
  const { user, system } = process.cpuUsage(own);
  return {
    rate: (done * 1_000) / (performance.now() - begin),
    client: (user + system) / done,
    server: ((spent() - before) * 1e6) / TICKS_PER_SECOND / done,
  };
}

/** Ticks that a process and its living children have run. */
function processorTime(pid) {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.reduce((sum, name) => {
    const [, parent, ...fields] = statOf(name);
    return name === String(pid) || parent === String(pid) ? sum + Number(fields[9]) + Number(fields[10]) : sum;
  }, 0);
}

/** The fields of proc(5)'s stat from the state on; none of a process that ended meanwhile. */
function statOf(name) {
  try {
    return readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1).split(" ");
  } catch {
    return [];
  }
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
