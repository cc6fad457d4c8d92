// The start of every module of testcontainers, from a folder with its packages, with images that stand in for the real ones.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { loadBusybox } from "../../scripts/busybox.mjs";
import { compileFixture, loadReaper } from "../fixture-images.mjs";
import { inside } from "./inside.mjs";
import { MODULES } from "./testcontainers/modules.mjs";

const RYUK = "testcontainers/ryuk:local";
const REAP_MS = 60_000;

/**
 * @param {import("./inside.mjs").Engine} engine
 * @param {{ checkout: string, folder: string }} where `folder` keeps the results
 * @returns {Promise<import("./inside.mjs").Outcomes>}
 */
export async function runTestcontainers(engine, { checkout, folder }) {
  const socket = `unix:${engine.socket}`;
  const standIn = compileFixture("stand-in");
  for (const module of MODULES) await loadBusybox(socket, module.image, imageOf(module, standIn));
  await loadReaper(socket, RYUK);
  const log = join(folder, "modules.log");
  const ended = await inside(engine, {
    command: [
      join(checkout, "node_modules/.bin/node"),
      join(import.meta.dirname, "testcontainers/start.mjs"),
      checkout,
    ],
    cwd: folder,
    env: { RYUK_CONTAINER_IMAGE: RYUK },
    log,
    seconds: 1800,
  });
  const lines = readFileSync(log, "utf8").split("\n");
  const told = lines.filter((line) => line.startsWith('{"name"')).map((line) => JSON.parse(line));
  /** @type {import("./inside.mjs").Outcomes} */
  const outcomes = new Map(told.map(({ name, message }) => [name, { passed: message === "", message }]));
  outcomes.set("every start ends", { passed: ended === "exit code 0", message: ended });
  const left = await leftByReaper(engine);
  outcomes.set("the reaper leaves nothing", { passed: left === "", message: left });
  return outcomes;
}

/** The image of a module: busybox with the stand-in, its table, and the programs that the module calls. */
function imageOf({ ports = [], says = "", answers = {}, entrypoint, server, tools = [], files = {} }, standIn) {
  const file = (name, content, mode = 0o644) => ({ name, mode, content });
  return {
    files: [
      file("bin/stand-in", standIn, 0o755),
      file("stand-in/ports", ports.map((port) => `${port}\n`).join("")),
      file("stand-in/says", `${says}\n`),
      ...Object.entries(answers).map(([path, body]) => file(`stand-in/answers/${path.replaceAll("/", "_")}`, body)),
      ...(server ? [file(server, "#!/bin/sh\nexec stand-in\n", 0o755)] : []),
      ...tools.map((name) => file(name, name === "bin/bash" ? readFileSync("/bin/bash-static") : "#!/bin/sh\n", 0o755)),
      ...Object.entries(files).map(([name, content]) => file(name, content)),
    ],
    ...(entrypoint ? { entrypoint, command: [] } : { command: ["stand-in"] }),
  };
}

/** What still bears testcontainers' labels once the reaper has had its time. */
async function leftByReaper(engine) {
  const labelled = ["--filter", "label=org.testcontainers=true"];
  const end = performance.now() + REAP_MS;
  for (;;) {
    const containers = await engine.docker("ps", "-aq", ...labelled);
    const networks = await engine.docker("network", "ls", "-q", ...labelled);
    const left = `${containers} ${networks}`.trim();
    if (left === "" || performance.now() > end) return left;
    await pause(500);
  }
}
