import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { openMachine } from "./machines.testing.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..");

/** A reader of a page, who runs its commands on a machine of their own: the pages' ports are free, and their folders are the reader's. */
export interface Reader {
  readonly folder: string;
  /** A process in the machine's namespaces. */
  readonly pid: number;
  /** Runs a script of bash as the reader; its output, the error's among it. */
  inside(script: string): Promise<string>;
  /** A text of a page, with the places that it names where the reader has them. */
  here(text: string): string;
  /** What each command printed. One shell runs them all; `after` gives what the reader does besides, such as to store a token. */
  session(commands: readonly string[], after?: (command: string) => string): Promise<readonly string[]>;
  /** Removes Berth with its state. Containers are killed first: some let a SIGTERM pass, and `npm stop` waits ten seconds for them. */
  purge(): Promise<void>;
  /** Ends the machine, but not what runs on it. */
  leave(): void;
}

/** `name` is short, and no other file's: it begins the names of bridges. */
export async function openReader(name: string, places: Readonly<Record<string, string>> = {}): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), `berth-${name}-`));
  const known = {
    "/run/berth": join(folder, "run"),
    "/var/lib/berth": join(folder, "state"),
    "/etc/berth": join(folder, "etc"),
    ...places,
  };
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}:${ROOT}/.cache/docker/usr/bin`,
    HOME: join(folder, "home"),
    BERTH_CONF: join(folder, "etc/berth.conf"),
    BERTH_BIN: join(folder, "bin"),
    BERTH_INSTANCE: `${name}${process.pid.toString(36)}`,
    BERTH_STATE: known["/var/lib/berth"],
    BERTH_RUN: known["/run/berth"],
    DOCKER_HOST: `unix://${known["/run/berth"]}/berth.sock`,
  };
  for (const one of ["bin", "etc", "home/.docker", "state", "run"]) mkdirSync(join(folder, one), { recursive: true });
  chmodSync(folder, 0o755);
  writeFileSync(env.BERTH_CONF, "");
  // A reader types the next command once the server in the container listens.
  writeFileSync(join(folder, "home/.curlrc"), "retry-connrefused\nretry = 20\nretry-delay = 1\n");
  const machine = await openMachine();

  const inside = async (script: string) => {
    const [program = "", ...namespaces] = machine.enter;
    const { stdout } = await run(program, [...namespaces, `--wd=${ROOT}`, "bash", "-c", `exec 2>&1\n${script}`], {
      env,
      maxBuffer: 2 ** 24,
    }).catch(({ stdout: output }: { stdout: string }) => {
      throw new Error(`${script} failed:\n${output}`);
    });
    return stdout;
  };
  const here = (text: string) => Object.entries(known).reduce((so, [path, place]) => so.replaceAll(path, place), text);
  return {
    folder,
    pid: machine.pid,
    inside,
    here,
    session: async (commands, after = () => "") => {
      const steps = commands.map(
        (command) => `{ ${here(command)}\n} >"$HOME/output" 2>&1; cat "$HOME/output"; printf '\\0'\n${after(command)}`,
      );
      return (await inside(steps.join("\n"))).split("\0");
    },
    purge: async () => {
      await inside("docker ps -q | xargs -r docker rm -f && npm stop -- --purge");
    },
    leave: () => {
      machine.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
