#!/usr/bin/env node
import { constants, existsSync, openAsBlob } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { Refused } from "./api.ts";
import { runDocker } from "./docker-client/cli.ts";
import { dockerConfigPath, readDockerToken } from "./docker-client/config.ts";
import { engineAt } from "./host/engine.ts";
import { VERSION } from "./host/version.ts";
import { recover } from "./recover.ts";
import { run } from "./run.ts";

const {
  BERTH_DIRECTORY_URL,
  BERTH_RUN = "/run/berth",
  BERTH_SOCKET,
  BERTH_STATE = "/var/lib/berth",
  BERTH_TOKEN,
} = process.env;
const SOCKET = BERTH_SOCKET ?? join(BERTH_RUN, "berth.sock");
const FILE = join(BERTH_STATE, "admin-token");

// A reader that has enough, such as head, closes the pipe.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (fault: NodeJS.ErrnoException) => {
    if (fault.code !== "EPIPE") throw fault;
    process.exit(0);
  });

async function readToken(): Promise<string> {
  if (BERTH_TOKEN !== undefined) return BERTH_TOKEN.trim();
  // On its host the command is the first administrator's, whose docker may sign in as anybody.
  const administrators = await readFile(FILE, "utf8").catch(() => undefined);
  const token = administrators?.trim() ?? (await readDockerToken(dockerConfigPath(process.env)));
  if (token !== undefined) return token;
  throw new Refused(`No token: run berth login, set BERTH_TOKEN, or run as a user that may read ${FILE}.`);
}

async function open(path: string): Promise<ReadableStream<Uint8Array>> {
  if (path === "-") return Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  try {
    await access(path, constants.R_OK);
    return (await openAsBlob(path)).stream();
  } catch (fault) {
    throw new Refused(`cannot read ${path}: ${(fault as Error).message}`);
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = path === "-" ? undefined : await stat(path).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}

async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

process.exitCode = await run(
  process.argv.slice(2),
  { url: BERTH_DIRECTORY_URL ?? "http://127.0.0.1:7780", version: VERSION, token: readToken },
  {
    fetch,
    write: (output) => void process.stdout.write(output),
    complain: (output) => void process.stderr.write(output),
    readStdin: () => text(process.stdin),
    open,
    ask,
    recover: (login) => recover(join(BERTH_STATE, "directory", "recovery.sock"), login),
    engine: engineAt(SOCKET),
    hasEngine: existsSync(SOCKET),
    docker: runDocker,
    sizeOf,
    isTerminal: process.stderr.isTTY,
    hostname: hostname(),
    pause: (milliseconds) => delay(milliseconds),
    folder: process.cwd(),
    env: process.env,
  },
);
