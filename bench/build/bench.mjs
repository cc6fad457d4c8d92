// node bench.mjs [ROUNDS]: a context of ten layers, cold and cached, Berth against dockerd's classic builder; and what a context of
// 300 MB does to the memory of Berth's service. The rounds alternate, and which goes first alternates too.
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { Readable } from "node:stream";
import { ask } from "../../scripts/ask.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { openBench } from "../open-bench.mjs";
import { startBerth, startDockerd } from "../start/engines.mjs";

const rounds = Number(process.argv[2] ?? 5);
const MIB = 2 ** 20;
const BIG = 300 * MIB;
const { folder, atEnd, stop } = openBench();
const engines = [];

try {
  for (const start of [startDockerd, startBerth]) {
    const engine = await start(folder);
    atEnd(engine.close);
    engines.push(engine);
  }
  for (const { socket } of engines) await loadBusybox(`unix:${socket}`, "busybox:latest");
  await measure();
  await measureMemory(engines[1]);
} finally {
  await stop();
}

function header(name, size) {
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  const bytes = Buffer.alloc(512);
  bytes.write(name, 0, 100);
  bytes.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12), 100);
  bytes.write("        ", 148);
  bytes.write("0", 156);
  bytes.write("ustar\x0000", 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(octal(sum, 7), 148);
  return bytes;
}

/** Ten layers: five of files of the context, five of commands. */
function context() {
  const files = Array.from({ length: 5 }, (_, at) => [`file${at}`, "x".repeat(64 << 10)]);
  const steps = files.flatMap(([name]) => [`COPY ${name} /${name}`, `RUN wc -c /${name} > /size-${name}`]);
  const entries = [["Dockerfile", ["FROM busybox", ...steps].join("\n")], ...files];
  const blocks = entries.flatMap(([name, text]) => [
    header(name, text.length),
    Buffer.from(text),
    Buffer.alloc((512 - (text.length % 512)) % 512),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A context of 300 MB that no step reads, as it is sent. */
function* bigContext() {
  const text = "FROM busybox\nENV A=b\n";
  yield Buffer.concat([header("Dockerfile", text.length), Buffer.from(text), Buffer.alloc(512 - text.length)]);
  yield header("big", BIG);
  const piece = Buffer.alloc(MIB, 7);
  for (let sent = 0; sent < BIG; sent += MIB) yield piece;
  yield Buffer.alloc(1024);
}

/** Builds, and gives the milliseconds that it took, and those of the processors. */
async function build({ name, socket, cpu }, query, body) {
  const [before, cpuBefore] = [performance.now(), cpu()];
  const headers = { "content-type": "application/x-tar" };
  const path = `/v1.41/build?${query}`;
  const { status, text } = await ask(`unix:${socket}`, { method: "POST", path, body, headers, timeout: 600_000 });
  if (status !== 200 || !text.includes("Successfully built")) throw new Error(`${name}: ${status} ${text.slice(-500)}`);
  return { took: performance.now() - before, cpu: cpu() - cpuBefore };
}

async function measure() {
  const [dockerd, berth] = engines;
  const cpu = /model name\s*: (.*)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "unknown processor";
  console.log(`${rounds} rounds, interleaved; ten layers; load average ${loadavg()[0].toFixed(2)}; ${cpu}`);
  const body = context();
  const taken = { cold: { dockerd: [], berth: [] }, cached: { dockerd: [], berth: [] } };
  for (let n = -1; n < rounds; n++)
    for (const engine of n % 2 === 0 ? [dockerd, berth] : [berth, dockerd]) {
      const cold = await build(engine, "nocache=1&t=bench", body);
      const cached = await build(engine, "t=bench", body);
      // The first round warms up.
      if (n < 0) continue;
      taken.cold[engine.name].push(cold);
      taken.cached[engine.name].push(cached);
    }
  for (const [what, by] of Object.entries(taken)) {
    const [d, b] = [spreadOf(by.dockerd, "took"), spreadOf(by.berth, "took")];
    const shown = [`dockerd ${textOf(d)}`, `berth ${textOf(b)}`];
    const ratio = (d.median / b.median).toFixed(2);
    console.log(`${what.padEnd(8)} ${shown.join("   ")}   dockerd / berth ${ratio}x (goal: at least 1)`);
    const [dc, bc] = [spreadOf(by.dockerd, "cpu"), spreadOf(by.berth, "cpu")];
    console.log(`${"".padEnd(8)} processors: dockerd ${textOf(dc)}   berth ${textOf(bc)}`);
  }
}

/** The least, the median and the most of a measure. */
function spreadOf(rounds, measure) {
  const sorted = rounds.map((round) => round[measure]).sort((a, b) => a - b);
  return { least: sorted[0], median: sorted[Math.floor(sorted.length / 2)], most: sorted.at(-1) };
}

function textOf({ least, median, most }) {
  return `${median.toFixed(0).padStart(6)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

/** The most memory that the process had so far, in MiB. */
function peakOf(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

async function measureMemory(engine) {
  const before = peakOf(engine.pid);
  const { took } = await build(engine, "", Readable.from(bigContext()));
  const grown = peakOf(engine.pid) - before;
  const rate = BIG / MIB / (took / 1000);
  console.log(
    `a context of ${BIG / MIB} MiB: ${rate.toFixed(0)} MiB/s; the service's peak grew by ${grown.toFixed(1)} MiB`,
  );
}
