import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { createClient } from "../packages/service-kit/src/database.ts";

const run = promisify(execFile);
const STARTER = resolve(import.meta.dirname, "../scripts/postgres.sh");

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresFolder: string;
  }
}

/** For vitest's `globalSetup`: names a folder for this run's Postgres and stops the server, if a test started it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "berth-postgres-"));
  // The server's own user has to get through.
  await chmod(folder, 0o711);
  project.provide("postgresFolder", folder);
  return async () => {
    await control(folder, "stop");
    await rm(folder, { recursive: true, force: true });
  };
}

export interface TestDatabase {
  /** Of its superuser, on a Unix socket. */
  readonly url: string;
  drop(): Promise<void>;
}

/** Makes an empty database on this run's Postgres; the first to ask starts the server, the others wait for it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = inject("postgresFolder");
  await control(folder, "start");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const server = `postgres://postgres@${encodeURIComponent(join(folder, "run/postgres"))}`;
  await execute(`${server}/postgres`, `create database ${name}`);
  return {
    url: `${server}/${name}`,
    drop: () => execute(`${server}/postgres`, `drop database ${name} with (force)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const sql = createClient(url, { max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

/** What a crash of the machine would lose is lost with the test anyway. */
const OPTIONS = "fsync=off full_page_writes=off max_connections=200";

async function control(folder: string, command: "start" | "stop"): Promise<void> {
  const env = {
    ...process.env,
    // What is installed on this machine has its own.
    BERTH_CONF: "/dev/null",
    BERTH_STATE: join(folder, "state"),
    BERTH_RUN: join(folder, "run"),
    BERTH_POSTGRES_OPTIONS: OPTIONS,
  };
  await run("bash", [STARTER, command], { env });
}
