import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { commandsIn } from "./flow.mjs";
import { startProxy } from "./proxy.mjs";
import { merge, requestOf, shapeOf } from "./shape.mjs";

/**
 * Runs the flow with the Docker CLI against an engine, through a proxy that records.
 * @param {string} engine the path of its socket
 * @param {{ cli?: string }} [options] the CLI's program
 * @returns {Promise<Record<string, import("./play.mjs").Recorded>>} by command
 */
export async function play(engine, { cli = "docker" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "traffic-"));
  writeFileSync(join(folder, "file"), "text\n");
  let exchanges = {};
  const proxy = await startProxy({
    engine,
    socket: join(folder, "proxy.sock"),
    heard: (exchange) => {
      const request = requestOf(exchange);
      exchanges[request] ??= {};
      merge(exchanges[request], shapeOf(exchange));
    },
  });
  /** @type {Record<string, import("./play.mjs").Recorded>} */
  const recording = {};
  try {
    for (const [index, { line, version, args }] of commandsIn(folder).entries()) {
      exchanges = {};
      const code = await run(cli, args, {
        ...process.env,
        DOCKER_HOST: `unix://${folder}/proxy.sock`,
        DOCKER_CONFIG: folder,
        ...(version === undefined ? {} : { DOCKER_API_VERSION: version }),
      });
      await proxy.idle();
      recording[`${index + 1}. ${line}`] = { codes: [code], exchanges };
    }
  } finally {
    proxy.close();
    rmSync(folder, { recursive: true });
  }
  return recording;
}

/**
 * The API version that a CLI speaks by itself.
 * @param {string} cli
 */
export async function apiVersionOf(cli) {
  const { stdout } = await promisify(execFile)(cli, ["version", "--format", "{{.Client.DefaultAPIVersion}}"], {
    env: { ...process.env, DOCKER_HOST: "unix:///nowhere" },
  }).catch((failure) => failure);
  return stdout.trim();
}

async function run(program, args, env) {
  const child = spawn(program, args, { env, stdio: ["pipe", "ignore", "ignore"], timeout: 60_000 });
  child.stdin.on("error", () => undefined);
  child.stdin.end("typed\n");
  const [code] = await once(child, "exit");
  return code;
}
