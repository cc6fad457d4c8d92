// The clients' own test suites and ours, first against dockerd, then against Berth; what passed where, as a table.
//
//   DOCKER_PY=CHECKOUT DOCKERODE=CHECKOUT MOBY=CHECKOUT TESTCONTAINERS=FOLDER node conformance/suites/compare.mjs [suite...]
//
// With BERTH_REFERENCE the dockerd is that of scripts/reference.sh, docker-py asks at the newest API version, and Berth has a BuildKit.
// MOBY_ONLY is a regular expression of moby's tests to run: `integration/network TestX`.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { removeFolder, startBerth, startDockerd } from "../../bench/start/engines.mjs";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { startReference } from "../traffic/reference.mjs";
import { runDockerPy } from "./docker-py.mjs";
import { runDockerode } from "./dockerode.mjs";
import { buildMoby, runMoby } from "./moby.mjs";
import { reportOf } from "./report.mjs";
import { runScenarios } from "./scenarios.mjs";
import { runTestcontainers } from "./testcontainers.mjs";

const run = promisify(execFile);
const exceptions = JSON.parse(readFileSync(join(import.meta.dirname, "exceptions.json"), "utf8"));

const { DOCKER_PY = "", DOCKERODE = "", MOBY = "", MOBY_ONLY = "", TESTCONTAINERS = "", BERTH_REFERENCE } = process.env;
const apiVersion = BERTH_REFERENCE === undefined ? "1.41" : "1.51";
const SUITES = {
  // First, since it wants no images but its own.
  scenarios: (engine, folder) => runScenarios(engine, { folder }),
  "docker-py": (engine, folder) => runDockerPy(engine, { checkout: DOCKER_PY, folder, apiVersion }),
  dockerode: (engine, folder) => runDockerode(engine, { checkout: DOCKERODE, folder }),
  testcontainers: (engine, folder) => runTestcontainers(engine, { checkout: TESTCONTAINERS, folder }),
  moby: (engine, folder) =>
    runMoby(engine, {
      checkout: MOBY,
      folder,
      client: resolve(import.meta.dirname, "../../.cache/clients/usr/bin/docker"),
      only: new RegExp(MOBY_ONLY),
    }),
};
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SUITES);

const results = mkdtempSync(join(tmpdir(), "berth-suites-"));
const engines = mkdtempSync(join(tmpdir(), "berth-engines-"));
// Postgres runs as a user of its own.
chmodSync(engines, 0o755);

async function startToday(folder) {
  return { name: "dockerd", ...(await startReference(folder)) };
}

/** Berth, with a BuildKit where there is one. */
async function startOurs(folder) {
  if (BERTH_REFERENCE === undefined) return startBerth(folder);
  const behind = await startReference(mkdtempSync(join(folder, "buildkit-")), { network: "host" });
  const berth = await startBerth(folder, { BERTH_BUILDKIT: `unix://${behind.socket}` });
  const close = async () => {
    await berth.close();
    await behind.close();
  };
  return { ...berth, close };
}

/** All suites on one engine: by suite, the outcomes by test. */
async function measure(start) {
  const engine = await start(engines);
  const docker = async (...args) => {
    const { stdout } = await run("docker", args, { env: { ...process.env, DOCKER_HOST: `unix://${engine.socket}` } });
    return stdout.trim();
  };
  try {
    await loadBusybox(`unix:${engine.socket}`, "busybox:latest");
    const outcomes = {};
    for (const suite of chosen) {
      const folder = join(results, engine.name, suite);
      mkdirSync(folder, { recursive: true });
      const begun = performance.now();
      outcomes[suite] = await SUITES[suite]({ ...engine, docker }, folder);
      const passed = [...outcomes[suite].values()].filter((outcome) => outcome.passed).length;
      const seconds = Math.round((performance.now() - begun) / 1000);
      console.log(`  ${engine.name}: ${suite}: ${passed} of ${outcomes[suite].size} passed in ${seconds} s`);
    }
    return outcomes;
  } finally {
    await engine.close();
  }
}

if (chosen.includes("moby")) await buildMoby(MOBY);
try {
  const dockerd = await measure(BERTH_REFERENCE === undefined ? startDockerd : startToday);
  const berth = await measure(startOurs);
  const { text, unexplained } = reportOf({ suites: chosen, dockerd, berth, exceptions });
  console.log(`\n${text}\nThe suites' own output: ${results}`);
  process.exitCode = unexplained === 0 ? 0 : 1;
} finally {
  removeFolder(engines);
}
