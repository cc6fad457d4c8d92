import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../scripts/ask.mjs";
import { type OwnBerth, startBerth } from "./berth.testing.ts";

/** An outage takes seconds, and many on a busy machine. */
const SLOW = { timeout: 120_000 };

let berth: OwnBerth;
beforeAll(async () => {
  berth = await startBerth();
});
afterAll(() => berth?.close());

const FOREVER = { Image: "busybox", Cmd: ["sleep", "9999"] };

async function create(name: string): Promise<string> {
  return (await berth.expect([201], "POST", `/containers/create?name=${name}`, FOREVER)).json.Id;
}

async function run(name: string): Promise<string> {
  const id = await create(name);
  await berth.expect([204], "POST", `/containers/${id}/start`);
  return id;
}

/** An outage may make a call wait, but not for ever. */
function ask(method: string, path: string, json?: unknown): Promise<Answer> {
  return berth.ask(method, path, { json, timeout: 90_000 });
}

async function exec(name: string): Promise<Answer> {
  const made = await ask("POST", `/containers/${name}/exec`, { Cmd: ["true"] });
  return made.status === 201 ? await ask("POST", `/exec/${made.json.Id}/start`, { Detach: true }) : made;
}

/** Calls of each kind, all at once: none depends on what becomes of another. */
function mixedCalls(tag: string): Promise<readonly Answer[]> {
  return Promise.all([
    ask("POST", `/containers/create?name=${tag}-new`, FOREVER),
    ask("POST", `/containers/${tag}-created/start`),
    ask("POST", `/containers/${tag}-stopping/stop?t=0`),
    ask("POST", `/containers/${tag}-restarting/restart?t=0`),
    ask("DELETE", `/containers/${tag}-removed?force=1`),
    exec(`${tag}-kept`),
    ask("POST", "/networks/create", { Name: `${tag}-new` }),
    ask("POST", "/volumes/create", { Name: `${tag}-new` }),
  ]);
}

const PID_FILES = {
  containerd: () => join(berth.run, "containerd.pid"),
  Postgres: () => join(berth.state, "postgres/data/postmaster.pid"),
};

test.each(["containerd", "Postgres"] as const)(
  "calls that meet the end of %s are answered, and all works once it is back",
  SLOW,
  async (part) => {
    const running = ["stopping", "restarting", "removed", "kept"].map((name) => run(`${part}-${name}`));
    await Promise.all([create(`${part}-created`), ...running]);
    const service = berth.container.pid;
    const pid = Number.parseInt(readFileSync(PID_FILES[part](), "utf8"), 10);
    const calls = mixedCalls(part);
    process.kill(pid, "SIGKILL");
    for (const { status, text, json } of [...(await calls), ...(await mixedCalls(part))])
      if (status >= 500)
        expect([status, json?.message], text).toEqual([503, expect.stringMatching(/try again|containerd/)]);
    // What memory knows is answered meanwhile, and nothing has ended the service.
    expect(await ask("GET", "/containers/json?all=1")).toMatchObject({ status: 200 });
    await expect.poll(async () => (await ask("POST", `/containers/${part}-kept/restart?t=0`)).status, SLOW).toBe(204);
    for (const name of ["created", "stopping", "restarting", "kept"]) {
      await berth.expect([204, 304], "POST", `/containers/${part}-${name}/start`);
      await berth.expect([204], "DELETE", `/containers/${part}-${name}?force=1`);
    }
    // Whether they were made and removed is uncertain.
    for (const name of ["new", "removed"]) await ask("DELETE", `/containers/${part}-${name}?force=1`);
    await expect.poll(async () => (await ask("GET", "/containers/json?all=1")).json).toEqual([]);
    // It is the same service.
    process.kill(service, 0);
  },
);
