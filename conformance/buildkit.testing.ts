import { execFile, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { startBuildKit } from "./reference.testing.ts";
import { askDirectory } from "./tenants/tenant.testing.ts";

const ROOT = join(import.meta.dirname, "..");

export interface Ran {
  readonly code: number;
  readonly text: string;
}

export interface Run {
  (...args: readonly string[]): Promise<Ran>;
  /** Starts a command, and gives what kills it and everything that it started. */
  start(...args: readonly string[]): () => void;
  /** Runs a command with this on its standard input. */
  feed(input: Buffer, ...args: readonly string[]): Promise<Ran>;
}

/** Debian sid's docker with buildx, which asks by BuildKit's API. */
const TODAY = join(ROOT, ".cache/clients/usr");
/** Debian 12's docker, which asks for BuildKit by Docker's own route. */
const OLD = join(ROOT, ".cache/docker/usr/bin/docker");

/** A docker on a socket, with a configuration of its own in `folder`. buildx sends no headers of the configuration: a token would not do. */
export function clientOf(folder: string, socket: string, by: "api" | "route" = "api"): Run {
  mkdirSync(folder);
  const plugins = { cliPluginsExtraDirs: [join(TODAY, "libexec/docker/cli-plugins")] };
  writeFileSync(join(folder, "config.json"), JSON.stringify(by === "api" ? plugins : {}), { mode: 0o600 });
  const { DOCKER_BUILDKIT: _, ...rest } = process.env;
  const settings = { DOCKER_CONFIG: folder, DOCKER_HOST: `unix://${socket}`, BUILDKIT_PROGRESS: "plain" };
  const env = { ...rest, ...settings, ...(by === "route" ? { DOCKER_BUILDKIT: "1" } : {}) };
  const program = by === "api" ? join(TODAY, "bin/docker") : OLD;
  const feed = (input: Buffer, ...args: readonly string[]) =>
    new Promise<Ran>((settle) => {
      const child = execFile(program, args, { env }, (fault, stdout, stderr) =>
        settle({ code: fault === null ? 0 : Number(fault.code ?? 1), text: `${stdout}${stderr}`.trim() }),
      );
      child.stdin?.end(input);
    });
  const run = (...args: readonly string[]) => feed(Buffer.alloc(0), ...args);
  const start = (...args: readonly string[]) => {
    const child = spawn(program, args, { env, stdio: "ignore", detached: true });
    return () => void process.kill(-(child.pid ?? 0), "SIGKILL");
  };
  return Object.assign(run, { start, feed });
}

/** Runs a command that has to succeed, and gives what it printed. */
export async function done(run: Run, ...args: readonly string[]): Promise<string> {
  const { code, text } = await run(...args);
  expect(code, text).toBe(0);
  return text;
}

/** Writes files into a folder of the given one, and gives its path. */
export function writeInto(folder: string, name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, path, ".."), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
  return join(folder, name);
}

/** How many steps on the machine sleep for so many seconds. */
export function sleeping(seconds: number): number {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8") === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  }).length;
}

/** Accounts that every Debian has. */
const ANN = "games";
const BOB = "news";

/** A Berth in front of a BuildKit, with clients of its users. */
export interface BuildKitBerth extends BerthWithDirectory {
  readonly root: Run;
  /** May run busybox alone, and has a BuildKit. */
  readonly ann: Run;
  readonly annId: number;
  readonly annSocket: string;
  /** Has no BuildKit. */
  readonly bob: Run;
  readonly bobSocket: string;
}

/** Starts a BuildKit and a Berth that asks it to build, with an image `corp/secret` that ann may not use. `folder` holds what clients need. */
export async function startBuildKitBerth(folder: string): Promise<BuildKitBerth> {
  const engine = await startBuildKit();
  try {
    // Each has a BuildKit's socket; what is decided is the same for several that lead to one.
    for (const login of ["root", ANN]) symlinkSync(engine.socket, join(folder, `${login}.sock`));
    const berth = await startBerthWithDirectory(async () => ({
      BERTH_BUILDKIT: `unix://${folder}/{login}.sock`,
      BERTH_USER_SOCKETS: `${ANN},${BOB}`,
    }));
    const signUp = async (login: string, ...constraints: readonly unknown[]) => {
      const body = { login, email: `${login}@example.com`, pass: "a long password nobody guesses" };
      const { id } = (await askDirectory(berth, "POST", "/users", body)) as { readonly id: number };
      for (const constraint of constraints) await askDirectory(berth, "POST", `/users/${id}/constraints`, constraint);
      return { id, socket: join(berth.run, "users", `${login}.sock`) };
    };
    const root = clientOf(join(folder, "config-root"), berth.socket);
    const { id: annId, socket: annSocket } = await signUp(ANN, {
      kind: "images",
      effect: "limit",
      patterns: ["docker.io/library/busybox:*"],
    });
    const { socket: bobSocket } = await signUp(BOB);
    await done(
      root,
      "build",
      "-t",
      "corp/secret",
      writeInto(folder, "secret", { Dockerfile: "FROM busybox\nLABEL secret=1" }),
    );
    return {
      ...berth,
      root,
      ann: clientOf(join(folder, "config-ann"), annSocket),
      annId,
      annSocket,
      bob: clientOf(join(folder, "config-bob"), bobSocket),
      bobSocket,
      close: async () => {
        await berth.close();
        await engine.close();
      },
    };
  } catch (thrown) {
    await engine.close();
    throw thrown;
  }
}
