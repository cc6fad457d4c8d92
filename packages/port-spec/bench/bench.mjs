// Specs a second beside the npm packages that do the same job, interleaved, and what allocation costs on a full host.
import { createRequire } from "node:module";
import {
  addLeases,
  allocate,
  DEFAULT_PORT_POLICY,
  leasesOf,
  parsePortSpec,
  removeLeases,
  toEngine,
} from "../dist/index.js";

const require = createRequire(import.meta.url);
const { parsePort } = require("compd/dist/ports.js");
const { buildPorts } = require("dockerode-compose/lib/servicesTools.js");
// By its file: the package's entry needs an editor around it.
const {
  parseDockerRawPortString,
} = require("./node_modules/@microsoft/vscode-container-client/dist/cjs/clients/DockerClientBase/parseDockerRawPortString.js");

const rounds = Number(process.argv[2] ?? 15);
const PER_ROUND = 200_000;

// Texts that differ, as real ones do: an engine remembers how it split a text it has just seen.
const VARIANTS = 4_000;
function vary(forms) {
  return Array.from({ length: VARIANTS }, (_, at) => forms[at % forms.length](1_024 + ((at * 7) % 60_000)));
}
function inGroups(texts) {
  return Array.from({ length: texts.length / 5 }, (_, at) => texts.slice(at * 5, at * 5 + 5));
}

// Each rival is given only specs it can read: none reads IPv6 and ranges and protocols and addresses alike.
const SINGLE = [
  (port) => `${port}:80`,
  (port) => `443:${port}`,
  (port) => `${port}:${port}`,
  (port) => `127.0.0.1:${port}:8001`,
  (port) => `${port}:6060/udp`,
];
const COMMON = [...SINGLE, (port) => `${port}-${port + 1}:8080-8081`];
const WHOLE = [
  ...COMMON,
  (port) => `${port}`,
  (port) => `3000-${3_000 + (port % 9)}`,
  (port) => `127.0.0.1::${port}`,
  (port) => `${port}-${port + 10}:80`,
  (port) => `[::1]:${port}:80/tcp`,
  (port) => `${port}/SCTP`,
];
const LISTED = [
  (port) => `127.0.0.1:${port}->8001/tcp`,
  (port) => `0.0.0.0:${port}->6060/udp`,
  (port) => `[::1]:${port}->80/tcp`,
  (port) => `${port}/tcp`,
];
const LISTED_AS_SPECS = [
  (port) => `127.0.0.1:${port}:8001/tcp`,
  (port) => `0.0.0.0:${port}:6060/udp`,
  (port) => `[::1]:${port}:80/tcp`,
  (port) => `${port}/tcp`,
];

const CONTESTS = [
  { name: "every form", specs: vary(WHOLE), ours: parsePortSpec },
  { name: "compd parsePort", specs: vary(COMMON), ours: parsePortSpec, theirs: parsePort },
  {
    // Ranges make it throw: it calls a function that it does not define.
    name: "dockerode-compose buildPorts",
    specs: inGroups(vary(SINGLE)),
    each: 5,
    ours: (texts) => texts.map(parsePortSpec),
    theirs: (texts) => buildPorts(texts, {}) ?? true,
  },
  {
    name: "the same, to ExposedPorts as well, which theirs leaves out",
    specs: inGroups(vary(SINGLE)),
    each: 5,
    ours: (texts) => toEngine(texts.map((text) => parsePortSpec(text).value)),
    theirs: (texts) => buildPorts(texts, {}) ?? true,
  },
  {
    name: "vscode-container-client parseDockerRawPortString",
    specs: vary(LISTED_AS_SPECS),
    theirSpecs: vary(LISTED),
    ours: parsePortSpec,
    theirs: parseDockerRawPortString,
  },
];

let sink = 0;

/** By processor time, which other work on the machine disturbs less than the clock. */
function specsPerSecond(parse, specs, each) {
  const begin = process.cpuUsage();
  for (let done = 0; done < PER_ROUND / each; done++) if (parse(specs[done % specs.length])) sink++;
  const { user, system } = process.cpuUsage(begin);
  return PER_ROUND / ((user + system) / 1e6);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function millions(value) {
  return `${(value / 1e6).toFixed(2)}M`;
}
console.log(
  `node ${process.version}, ${rounds} interleaved rounds of ${PER_ROUND} specs, medians, by processor time\n`,
);
for (const { name, specs, theirSpecs = specs, each = 1, ours, theirs } of CONTESTS) {
  const [mine, others, ratios] = [[], [], []];
  for (let round = -2; round < rounds; round++) {
    const us = specsPerSecond(ours, specs, each);
    const them = theirs && specsPerSecond(theirs, theirSpecs, each);
    // The first two rounds let the compiler settle.
    if (round < 0) continue;
    mine.push(us);
    if (them) {
      others.push(them);
      ratios.push(us / them);
    }
  }
  const beside = theirs ? `, theirs ${millions(median(others))}/s, ratio ${median(ratios).toFixed(2)}` : "";
  console.log(`${name}: ours ${millions(median(mine))}/s${beside}`);
}

// 100,000 ports held: every port of two addresses in both protocols' halves, the dynamic range nearly full.
const HELD = [];
for (const protocol of ["tcp", "udp"]) {
  for (let hostPort = 10_000; hostPort <= 60_000; hostPort++) {
    if (hostPort !== 45_678) HELD.push({ hostIp: "0.0.0.0", hostPort, protocol, holder: `container-${hostPort}` });
  }
}
const POLICY = {
  ...DEFAULT_PORT_POLICY,
  anyAddress: ["0.0.0.0"],
  dynamic: { ranges: [{ start: 10_000, end: 60_000 }] },
};
const WISH = { containerPort: 80, protocol: "tcp", hostIp: "", hostPorts: undefined };

function time(times, work) {
  const samples = [];
  for (let run = 0; run < times; run++) {
    const begin = process.hrtime.bigint();
    work(run);
    samples.push(Number(process.hrtime.bigint() - begin) / 1e3);
  }
  return median(samples);
}

const leases = leasesOf(HELD);
const loaded = time(9, () => leasesOf(HELD));
const none = time(2_000, (seed) => allocate([{ holder: "new", wishes: [WISH] }], leasesOf([]), { ...POLICY, seed }));
const full = time(2_000, (seed) => allocate([{ holder: "new", wishes: [WISH] }], leases, { ...POLICY, seed }));
const GIVEN = allocate([{ holder: "new", wishes: [WISH] }], leases, POLICY).value;
const added = time(200, () => addLeases(leases, GIVEN));
const removed = time(200, () => removeLeases(leases, HELD.slice(0, 1)));
console.log(`\n${HELD.length.toLocaleString("en")} leases held, one dynamic port free in the range:`);
console.log(`allocate ${full.toFixed(1)} µs (${none.toFixed(1)} µs where nothing is held)`);
console.log(
  `add a lease ${added.toFixed(0)} µs, remove one ${removed.toFixed(0)} µs, load them all ${(loaded / 1e3).toFixed(1)} ms`,
);
if (sink === 0) throw new Error("nothing was parsed");
