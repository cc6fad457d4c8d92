import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./postgres.testing.ts";

// The services and the command with the files and dependencies that the Debian package and the images have of them.

/** npm packs every file to name it, which takes long on a busy machine. */
const LIMIT_MS = 120_000;

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "berth-deployed-"));
const children: ReturnType<typeof spawn>[] = [];
let database: TestDatabase;

beforeAll(async () => {
  chmodSync(folder, 0o711);
  database = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(
    children.map((child) => {
      if (child.exitCode !== null || child.signalCode !== null) return undefined;
      child.kill("SIGKILL");
      return once(child, "exit");
    }),
  );
  await database?.drop();
  rmSync(folder, { recursive: true });
});

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Copies what a deployment takes of the service, outside of the repository; returns the copy's folder. */
function deploy(app: "container" | "directory"): string {
  const from = join(ROOT, "apps", app);
  const to = join(folder, "apps", app);
  const packing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: from,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files }] = JSON.parse(packing) as [{ readonly files: readonly { readonly path: string }[] }];
  for (const { path } of files) cpSync(join(from, path), join(to, path));
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, "package.json"), "utf8")) as Manifest;
  for (const name of Object.keys(dependencies)) {
    const link = join(to, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(from, "node_modules", name)), link);
  }
  execFileSync("sh", [join(ROOT, "scripts/slim.sh"), to]);
  return to;
}

/** Starts the service of that folder; gives what it writes so far. */
function start(app: string, settings: Readonly<Record<string, string>>): { readonly output: () => string } {
  const child = spawn(process.execPath, [join(app, "dist/bundle/main.js")], {
    cwd: "/",
    env: { PATH: process.env.PATH, ...settings },
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return { output: () => output };
}

test("the directory serves its API, the console and the reference", { timeout: LIMIT_MS }, async () => {
  const service = start(deploy("directory"), {
    BERTH_STATE: join(folder, "directory"),
    BERTH_RUN: join(folder, "run"),
    BERTH_DIRECTORY_LISTEN: "127.0.0.1:0",
    BERTH_DIRECTORY_DATABASE_URL: database.url,
  });
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(service.output())?.[0];
  await expect.poll(address, { timeout: LIMIT_MS / 2 }).toBeDefined();
  for (const path of ["/readyz", "/", "/api/openapi.json", "/api/reference/script.js", "/api/reference/style.css"]) {
    const answer = await fetch(`${address()}${path}`);
    expect([path, answer.status, (await answer.text()).length > 0]).toEqual([path, 200, true]);
  }
});

test("the container service makes its database, and gets as far as containerd", { timeout: LIMIT_MS }, async () => {
  const state = join(folder, "container");
  const socket = join(folder, "run/berth.sock");
  const away = join(folder, "away.sock");
  mkdirSync(state);
  // A state that used this containerd waits for it.
  writeFileSync(join(state, "host-containerd"), `${away}\n`);
  const service = start(deploy("container"), {
    BERTH_STATE: state,
    BERTH_RUN: join(folder, "run"),
    BERTH_SOCKET: socket,
    BERTH_CONTAINERD: away,
    BERTH_CONTAINER_DATABASE_URL: database.url,
  });
  await expect
    .poll(() => messageOf(socket), { timeout: LIMIT_MS / 2 })
    .toContain(`the host's containerd at ${away} does not answer`);
  expect(service.output()).not.toContain("ENOENT");
});

test("the command runs without its libraries, in English", () => {
  const to = join(folder, "cli");
  for (const path of ["package.json", "dist/bundle"])
    cpSync(join(ROOT, "packages/cli", path), join(to, path), { recursive: true });
  execFileSync("sh", [join(ROOT, "scripts/slim.sh"), to]);
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [join(to, "dist/bundle/main.js"), ...args], {
      encoding: "utf8",
      env: { LC_ALL: "de_DE.UTF-8" },
    });
  expect(run("--version")).toBe("0.1.0\n");
  expect(run("--help")).toContain("Commands:");
});

test("a bundle has the licences of its libraries beside it", () => {
  const licences = readFileSync(join(ROOT, "apps/directory/dist/bundle/licenses.txt"), "utf8");
  expect(licences).toMatch(/^hono \d+\.\d+\.\d+ \(MIT\)$/m);
  expect(licences).toContain("Copyright (c) 2021 - present, Yusuke Wada");
});

/** What the service says while it starts; nothing before it listens. */
async function messageOf(socketPath: string): Promise<string> {
  const [answer] = await once(request({ socketPath, path: "/version" }).end(), "response").catch(() => []);
  return answer === undefined ? "" : ((await json(answer)) as { message: string }).message;
}
