import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadBusybox } from "../scripts/busybox.mjs";
import { clientOf } from "./client.mjs";

const run = promisify(execFile);
const ROOT = resolve(fileURLToPath(new URL(".", import.meta.url)), "..");
const ENTRY = join(ROOT, "apps/container/dist/bundle/main.js");
const POSTMASTER_PID = "postgres/data/postmaster.pid";
/** Where many others use the machine. */
const START_LIMIT_MS = 180_000;

/** A port of the loopback that nobody has at this moment. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** A Berth of its own, from the build, whose parts can be killed. The image `busybox:latest` is in it. */
export class ChaosBerth {
  #child;
  /** How long each start took until the service answered, in milliseconds. */
  starts = [];

  /** @param {{ instance: string, subnet: string }} names that nobody else on this machine uses */
  static async start({ instance, subnet }) {
    const folder = mkdtempSync(join(tmpdir(), "berth-chaos-"));
    // Postgres' own user has to get through.
    chmodSync(folder, 0o711);
    const berth = new ChaosBerth();
    const [state, runFolder] = [join(folder, "state"), join(folder, "run")];
    Object.assign(berth, { folder, instance, state, run: runFolder, socket: join(runFolder, "berth.sock") });
    berth.env = {
      ...process.env,
      BERTH_CONF: "/dev/null",
      BERTH_STATE: state,
      BERTH_RUN: runFolder,
      BERTH_SOCKET: berth.socket,
      BERTH_INSTANCE: instance,
      BERTH_SUBNET: subnet,
      BERTH_CONTAINERD: join(folder, "none.sock"),
      BERTH_DIRECTORY_URL: `http://127.0.0.1:${await freePort()}`,
      BERTH_POOL: "2",
    };
    berth.log = join(state, "log/container.log");
    berth.ask = clientOf(berth.socket);
    mkdirSync(join(state, "log"), { recursive: true });
    await berth.postgres("start");
    berth.launch();
    await berth.answers();
    await berth.loadBusybox();
    return berth;
  }

  /** Puts the image `busybox:latest` there. */
  async loadBusybox() {
    await loadBusybox(`unix:${this.socket}`, "busybox:latest");
  }

  /** Whether the service's process has ended. */
  get isOver() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get pid() {
    return this.#child.pid;
  }

  /** @param {"start" | "stop"} command */
  async postgres(command) {
    await run("bash", [join(ROOT, "scripts/postgres.sh"), command], { env: this.env });
  }

  /** Starts the container service; `answers` waits for it. */
  launch() {
    const log = openSync(this.log, "a");
    this.launched = performance.now();
    this.#child = spawn(process.execPath, [ENTRY], {
      env: this.env,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
  }

  /** Settles when the service answers; rejects where it ends or takes more than three minutes. */
  async answers() {
    const child = this.#child;
    while (true) {
      const answer = await this.ask("GET", "/_ping", undefined, { timeout: 2000 }).catch(() => undefined);
      if (answer?.status === 200) break;
      if (child.exitCode !== null || child.signalCode !== null || performance.now() - this.launched > START_LIMIT_MS)
        throw new Error(`the service does not answer:\n${this.endOfLog()}`);
      await pause(20);
    }
    this.starts.push(performance.now() - this.launched);
  }

  endOfLog() {
    return readFileSync(this.log, "utf8").slice(-3000);
  }

  /** The last lines of the service's log that name the container. @param {string} id */
  logOf(id) {
    const lines = readFileSync(this.log, "utf8").split("\n");
    return lines.filter((line) => line.includes(id)).slice(-5);
  }

  /** The process of the part; undefined where it is down. @param {"service" | "containerd" | "postgres"} part */
  pidOf(part) {
    const file = { containerd: join(this.run, "containerd.pid"), postgres: join(this.state, POSTMASTER_PID) }[part];
    if (file === undefined) return this.pid;
    return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined;
  }

  /** @param {"service" | "containerd" | "postgres"} part */
  kill(part) {
    const pid = this.pidOf(part);
    if (pid === undefined) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch (thrown) {
      if (thrown.code !== "ESRCH") throw thrown;
    }
  }

  /** Ends everything and removes the state; rejects where something cannot be taken away. */
  async close() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill("SIGTERM");
      await once(this.#child, "exit");
    }
    await run(process.execPath, [ENTRY, "teardown"], { env: this.env, timeout: 120_000 });
    await this.postgres("stop");
    this.removeFolder();
  }

  /** Removes the state, and what is mounted in it. */
  removeFolder() {
    if (!existsSync(this.folder)) return;
    const mounts = readFileSync("/proc/self/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" ")[1] ?? "")
      .filter((path) => path.startsWith(`${this.folder}/`));
    for (const path of mounts.reverse()) execFileSync("umount", ["-l", path]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
