import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../tools/postgres.testing.ts";
import { freePort } from "./berth.testing.ts";

const PASS = "a long password nobody guesses";
const ENTRY = resolve(import.meta.dirname, "../apps/directory/dist/bundle/main.js");

interface Directory {
  readonly url: string;
  readonly child: ChildProcess;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly json: any;
}

/** Settles once the service says that it listens. */
async function startDirectory(folder: string, databaseUrl: string): Promise<Directory> {
  const listen = `127.0.0.1:${await freePort()}`;
  const settings = { BERTH_DIRECTORY_LISTEN: listen, BERTH_DIRECTORY_DATABASE_URL: databaseUrl, BERTH_STATE: folder };
  const child = spawn(process.execPath, [ENTRY], {
    env: { ...process.env, ...settings, BERTH_LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith("directory listens")) break;
  child.stdout.resume();
  return { url: `http://${listen}`, child };
}

/**
 * Two processes on one database, as behind a load balancer: what one of them changes the other acts on as soon as it has
 * heard of it. It has heard when it tells its own listeners, who come after its own memory.
 */
describe("two directories on one database", () => {
  let database: TestDatabase;
  let folder: string;
  let first: Directory;
  let second: Directory;
  let admin: string;

  const ask = async ({ url }: Directory, method: string, path: string, token: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}/api${path}`, { method, headers, ...sent });
    const text = await response.text();
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) } satisfies Answer;
  };

  /** Events of a service from now on, each as `user 7`. */
  async function eventsOf({ url }: Directory) {
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${admin}` };
    const { body } = await fetch(`${url}/api/events`, { headers, signal: stop.signal });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    const told = () => [...text.matchAll(/event: (\w+)\ndata: (\w+)\n/g)].map(([, kind, about]) => `${kind} ${about}`);
    return {
      async until(event: string): Promise<void> {
        while (!told().includes(event)) {
          const { value, done } = await reader.read();
          if (done) throw new Error(`the events ended before ${event}`);
          text += new TextDecoder().decode(value);
        }
        text = "";
      },
      close: () => stop.abort(),
    };
  }

  const signUp = async (login: string) => {
    const fields = { login, email: `${login}@example.test`, pass: PASS };
    const { json: user } = await ask(first, "POST", "/users", admin, fields);
    const { json: session } = await ask(second, "POST", "/login", admin, { login, pass: PASS });
    return { id: user.id as number, token: session.token as string };
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), "berth-two-directories-"));
    first = await startDirectory(join(folder, "first"), database.url);
    second = await startDirectory(join(folder, "second"), database.url);
    admin = readFileSync(join(folder, "first/admin-token"), "utf8").trim();
  });

  afterAll(async () => {
    for (const one of [first, second]) {
      if (one === undefined) continue;
      const ended = once(one.child, "exit");
      one.child.kill("SIGTERM");
      await ended;
    }
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["its token is revoked", "DELETE", "/tokens/TOKEN", undefined],
    ["it is disabled", "PATCH", "/users/USER", { active: false }],
    ["its password is set anew", "PATCH", "/users/USER", { pass: `${PASS} anew` }],
    ["it is removed", "DELETE", "/users/USER", undefined],
  ] as const)("lets a user in no more through the one when %s through the other", async (why, method, path, body) => {
    const { id, token } = await signUp(`user${why.length}`);
    const me = await ask(second, "GET", "/me", token);
    expect(me.status).toBe(200);
    const events = await eventsOf(second);
    await events.until("all true");
    const place = path.replace("TOKEN", me.json.tokenId).replace("USER", `${id}`);
    expect((await ask(first, method, place, admin, body)).status).toBeLessThan(300);
    await events.until(`user ${id}`);
    expect((await ask(second, "GET", "/me", token)).status).toBe(401);
    events.close();
  });

  it("decides through the one by the constraint that was made, changed or removed through the other", async () => {
    const { id, token } = await signUp("ann");
    const { json: group } = await ask(first, "POST", "/groups", admin, { name: "web" });
    const isAllowed = async () => {
      const request = { privileges: ["privileged"] };
      return (await ask(second, "POST", "/decisions", token, { request })).json.decision === "allow";
    };
    const grant = { kind: "privileges", effect: "grant", privileges: ["privileged"] };
    const events = await eventsOf(second);
    await events.until("all true");
    expect(await isAllowed()).toBe(false);
    const changes = [
      ["POST", `/users/${id}/constraints`, grant, `user ${id}`, true],
      ["PUT", "/constraints/1", { ...grant, effect: "deny" }, `user ${id}`, false],
      ["DELETE", "/constraints/1", undefined, `user ${id}`, false],
      ["PUT", `/groups/${group.id}/members/${id}`, undefined, `user ${id}`, false],
      ["POST", `/groups/${group.id}/constraints`, grant, `group ${group.id}`, true],
      ["DELETE", `/groups/${group.id}`, undefined, `user ${id}`, false],
    ] as const;
    for (const [method, path, body, event, allowed] of changes) {
      expect((await ask(first, method, path, admin, body)).status).toBeLessThan(300);
      await events.until(event);
      expect(await isAllowed()).toBe(allowed);
    }
    events.close();
  });

  it("counts failed sign-ins of an account by the connection's address, whatever their headers say", async () => {
    const attempt = async (login: string, n: number): Promise<number> => {
      const headers = {
        "content-type": "application/json",
        "x-forwarded-for": `10.0.0.${n}`,
        forwarded: `for=10.0.0.${n}`,
      };
      const body = JSON.stringify({ login, pass: PASS });
      return (await fetch(`${first.url}/api/login`, { method: "POST", headers, body })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => attempt("nobody", n)));
    expect(statuses).toContain(401);
    expect(statuses).toContain(429);
    // The loopback address is shared by everyone on the host, so it holds up no other account.
    expect(await attempt("somebody-else", 21)).toBe(401);
  });
});
