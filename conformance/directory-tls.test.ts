import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Authority, createAuthority, type Issued } from "../tools/certificates.testing.ts";
import { createTestDatabase, type TestDatabase } from "../tools/postgres.testing.ts";
import { freePort } from "./berth.testing.ts";

const run = promisify(execFile);
const DIST = resolve(import.meta.dirname, "../apps/directory/dist/bundle");
const COMMAND = resolve(import.meta.dirname, "../packages/cli/dist/bundle/main.js");

let folder: string;
let authority: Authority;
let env: NodeJS.ProcessEnv;
let port: number;
let directory: ChildProcess;
let database: TestDatabase;

/** Settles once it listens. */
async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(DIST, "main.js")], { env, stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface(child.stdout)) {
    if (line.includes(`directory listens on https://127.0.0.1:${port}`)) return child;
  }
  throw new Error("the directory ended before it listened");
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "berth-directory-"));
  authority = await createAuthority(join(folder, "ca"));
  const server = await authority.issueServer();
  port = await freePort();
  database = await createTestDatabase();
  env = {
    ...process.env,
    DATABASE_URL: database.url,
    BERTH_STATE: join(folder, "state"),
    BERTH_DIRECTORY_LISTEN: `127.0.0.1:${port}`,
    BERTH_DIRECTORY_TLS_CERT: server.cert,
    BERTH_DIRECTORY_TLS_KEY: server.key,
    BERTH_DIRECTORY_TLS_CA: authority.ca,
    BERTH_DIRECTORY_TLS_CRL: authority.crl,
  };
  directory = await start();
});
afterAll(async () => {
  directory.kill("SIGTERM");
  await once(directory, "exit");
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function me(shown: Issued | undefined) {
  const pair = shown && { cert: readFileSync(shown.cert), key: readFileSync(shown.key) };
  const sent = request({
    host: "localhost",
    port,
    path: "/api/me",
    ca: readFileSync(authority.ca),
    agent: false,
    ...pair,
  });
  const [response] = await once(sent.end(), "response");
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

function berth(more: Readonly<Record<string, string>>) {
  const settings = {
    ...process.env,
    BERTH_STATE: join(folder, "state"),
    BERTH_DIRECTORY_URL: `https://localhost:${port}`,
  };
  return run(process.execPath, [COMMAND, "users", "list"], { env: { ...settings, ...more } });
}

describe("the directory over TLS", () => {
  it("takes the certificate of an administrator's login for the administrator, and no other certificate", async () => {
    const admin = await authority.issueClient("/CN=admin");
    expect(await me(admin)).toMatchObject({ status: 200, body: { login: "admin", role: "admin", tokenId: null } });
    expect(await me(await authority.issueClient("/CN=mallory"))).toMatchObject({ status: 401 });
    const other = await createAuthority(join(folder, "other"));
    expect((await me(await other.issueClient("/CN=admin"))).body.detail).toContain("client certificate was rejected");
    expect((await me(undefined)).body.detail).toContain("Send a token");
  });

  it("is trusted by its clients where NODE_EXTRA_CA_CERTS names its CA, and not without", async () => {
    expect((await berth({ NODE_EXTRA_CA_CERTS: authority.ca })).stdout).toContain("admin");
    await expect(berth({})).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("certificate") });
  });

  it("lets a command end without a word when its reader has enough", async () => {
    const env = {
      ...process.env,
      BERTH_STATE: join(folder, "state"),
      BERTH_DIRECTORY_URL: `https://localhost:${port}`,
    };
    const settings = { ...env, NODE_EXTRA_CA_CERTS: authority.ca };
    const child = spawn(process.execPath, [COMMAND, "users", "list"], {
      env: settings,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect({ code, said }).toEqual({ code: 0, said: "" });
  });

  it("gives the host's root a way in when the administrator's token is lost", async () => {
    rmSync(join(folder, "state/admin-token"));
    const env = { ...process.env, BERTH_STATE: join(folder, "state"), DATABASE_URL: database.url };
    const recovered = await run(process.execPath, [COMMAND, "recover-admin", "--yes"], { env });
    expect(recovered.stdout).toMatch(/^LOGIN +TOKEN\nadmin +bth_/);
    expect((await berth({ NODE_EXTRA_CA_CERTS: authority.ca })).stdout).toContain("admin");
  });

  it("starts again after it was killed", async () => {
    directory.kill("SIGKILL");
    await once(directory, "exit");
    directory = await start();
    expect(await me(await authority.issueClient("/CN=admin"))).toMatchObject({ status: 200 });
  });
});
