import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentedCommands, patternOf } from "./readme.testing.ts";

// The README's session and the examples, run as a reader would. A network namespace leaves the pages' ports free.

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..");
const commands = documentedCommands(readFileSync(join(ROOT, "README.md"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "berth-readme-"));
const PLACES = { "/run/berth": join(folder, "run"), "/var/lib/berth": join(folder, "state") };
const ENV = {
  PATH: `${join(folder, "bin")}:${process.env.PATH}:${ROOT}/.cache/docker/usr/bin`,
  HOME: join(folder, "home"),
  BERTH_CONF: "/dev/null",
  BERTH_BIN: join(folder, "bin"),
  BERTH_INSTANCE: `br${process.pid.toString(36)}`,
  BERTH_STATE: PLACES["/var/lib/berth"],
  BERTH_RUN: PLACES["/run/berth"],
  DOCKER_HOST: `unix://${PLACES["/run/berth"]}/berth.sock`,
};

/** Keeps the namespaces. `/sys` is the network namespace's, but for the control groups, which are the machine's. */
const HOLD = `
  groups=$(mktemp -d)
  mount --rbind /sys/fs/cgroup "$groups" && mount -t sysfs sysfs /sys && mount --rbind "$groups" /sys/fs/cgroup
  umount -l "$groups" && rmdir "$groups" && ip link set lo up && echo ready && exec sleep infinity`;
let holder: ChildProcess | undefined;

/** Runs a script of bash in the namespaces; its output, the error's among it. */
async function inside(script: string): Promise<string> {
  const namespaces = [`--target=${holder?.pid}`, "--mount", "--net", `--wd=${ROOT}`];
  const { stdout } = await run("nsenter", [...namespaces, "bash", "-c", `exec 2>&1\n${script}`], {
    env: ENV,
    maxBuffer: 2 ** 24,
  }).catch(({ stdout: output }: { stdout: string }) => {
    throw new Error(`${script} failed:\n${output}`);
  });
  return stdout;
}

function here(text: string): string {
  return Object.entries(PLACES).reduce((so, [path, place]) => so.replaceAll(path, place), text);
}

/** What each command printed. One shell runs them all, as a reader's does; a token is put where the README says to put it. */
async function session(): Promise<readonly string[]> {
  const steps = commands.map(({ command }) => {
    const step = `{ ${here(command)}\n} >"$HOME/output" 2>&1; cat "$HOME/output"; printf '\\0'`;
    return command.startsWith("berth tokens add")
      ? `${step}\nprintf '{"HttpHeaders": {"Authorization": "Bearer %s"}}' "$(grep -o 'bth_[A-Za-z0-9_-]*' "$HOME/output" | head -1)" >~/.docker/config.json`
      : step;
  });
  return (await inside(steps.join("\n"))).split("\0");
}

let printed: readonly string[] = [];

beforeAll(async () => {
  for (const name of ["bin", "home/.docker", "state", "run"]) mkdirSync(join(folder, name), { recursive: true });
  chmodSync(folder, 0o755);
  // A reader types the next command once the server in the container listens.
  writeFileSync(join(folder, "home/.curlrc"), "retry-connrefused\nretry = 20\nretry-delay = 1\n");
  holder = spawn("unshare", ["--mount", "--net", "bash", "-ec", HOLD], { stdio: ["ignore", "pipe", "inherit"] });
  if (holder.stdout !== null) await once(holder.stdout, "data");
  await inside("npm start");
  printed = await session();
}, 600_000);

afterAll(async () => {
  try {
    await inside("npm stop -- --purge");
  } finally {
    holder?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

describe("README.md prints what these commands print", () => {
  test.each(commands.map((one, index) => ({ ...one, index })))("$command", ({ output, index }) => {
    expect(printed[index]).toMatch(patternOf(here(output)));
  });
});

describe("examples", { timeout: 120_000 }, () => {
  test("docker-py", async () => {
    expect(await inside("/usr/bin/python3 examples/docker-py/web.py")).toBe("hello from docker-py\n");
  });

  test("dockerode", async () => {
    const output = (await inside("node examples/dockerode/web.mjs")).replaceAll("\r", "");
    expect(output).toBe("hello from dockerode\nexit code 3\ncreate attach start die destroy\n");
  });

  test("compose", async () => {
    const compose = "docker-compose --no-ansi -p example -f examples/compose/compose.yml";
    await inside(`${compose} up -d`);
    expect(await inside("curl -s http://127.0.0.1:8090/")).toBe("hello from compose\n");
    await inside(`${compose} down -v -t 0`);
  });

  test("directory", async () => {
    const output = await inside("bash examples/directory/first-user.sh");
    expect(output).toBe("port 8080: allow\nport 9000: refuse\n");
  });

  test("port-spec", async () => {
    const script =
      'import("./examples/port-spec/ports.mjs").then(({ explain }) => console.log(explain(process.argv[1])))';
    const explain = (text: string) => inside(`node -e '${script}' ${text}`);
    expect(await explain("127.0.0.1:8080:80/UDP")).toMatch(/^127\.0\.0\.1:8080:80\/udp\n/);
    expect(await explain("8080:http")).toMatch(/^8080:http\n {5}\^ invalid containerPort: http; expected /);
  });
});
