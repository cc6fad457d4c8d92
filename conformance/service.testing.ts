import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const ROOT = resolve(import.meta.dirname, "..");

/** Settings of the environment. */
export type Settings = Readonly<Record<string, string>>;

/** One of the services as a process of its own, from the build. */
export interface Service {
  readonly pid: number;
  /** Sends the signal and settles when the process has ended. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Starts it again, with its settings and these for this once; settles when it answers. */
  start(further?: Settings): Promise<void>;
}

/** The program of a service, from the build. */
export function entryOf(name: "container" | "directory"): string {
  const entry = join(ROOT, "apps", name, "dist/bundle/main.js");
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run npm run build`);
  return entry;
}

/** Where a service runs: its folder, that of its log, and the words that enter its machine. */
interface Where {
  readonly folder: string;
  readonly logs: string;
  readonly enter: readonly string[];
}

/** Starts a service; settles once `answers` says that it does. */
export async function startService(
  name: "container" | "directory",
  env: NodeJS.ProcessEnv,
  { folder, logs, enter }: Where,
  answers: () => Promise<boolean>,
): Promise<Service> {
  const entry = entryOf(name);
  const log = join(logs, `${name}.log`);
  let child: ChildProcess | undefined;
  /** Whether a test asked for its end: any other end has to be seen. */
  let wanted = false;

  const start = async (further: Settings = {}) => {
    wanted = false;
    const output = openSync(log, "a");
    const [program = "", ...args] = [...enter, process.execPath, entry];
    child = spawn(program, args, {
      env: { ...env, ...further },
      cwd: folder,
      stdio: ["ignore", output, output],
    });
    child.once("exit", (code, signal) => {
      if (wanted) return;
      console.error(
        `the ${name} service ended by itself (${code ?? signal}):\n${readFileSync(log, "utf8").slice(-8000)}`,
      );
    });
    const end = performance.now() + 60_000;
    while (!(await answers().catch(() => false))) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > end)
        throw new Error(`the ${name} service does not answer:\n${readFileSync(log, "utf8").slice(-4000)}`);
      await pause(25);
    }
  };
  await start();
  return {
    get pid() {
      return child?.pid ?? 0;
    },
    start,
    async end(signal) {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      wanted = true;
      child.kill(signal);
      await ended;
    },
  };
}
