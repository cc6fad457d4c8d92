import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../scripts/ask.mjs";
import { type OwnBerth, removeContainers, startBerth } from "./berth.testing.ts";
import { freeze, hangRunc, parentOf, processesOf, stopRunc } from "./hung.testing.ts";

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

describe("with a tenth of the usual patience", () => {
  const IMPATIENT = { BERTH_CONTAINERD_PATIENCE: "10" };
  const LATE = expect.stringMatching(/d(oes|id) not answer/);

  afterEach(() => removeContainers(berth));
  afterAll(async () => {
    await berth.container.end("SIGTERM");
    await berth.container.start();
  });

  async function pidOf(name: string): Promise<number> {
    return (await berth.expect([200], "GET", `/containers/${name}/json`)).json.State.Pid;
  }

  test(
    "hung shims fail their own containers alone, which say so, and end by stop, kill and removal",
    SLOW,
    async () => {
      const names = ["stopped", "killed", "gone"].map((name) => `hung-${name}`);
      await Promise.all([...names, "other"].map(run));
      for (const name of names) process.kill(parentOf(await pidOf(name)), "SIGSTOP");
      await berth.container.end("SIGKILL");
      await berth.container.start(IMPATIENT);
      // It has started beside them, and all others are as they were.
      expect(await exec("other")).toMatchObject({ status: 200 });
      await berth.expect([204], "POST", "/containers/other/restart?t=0");
      for (const name of names) {
        expect((await exec(name)).json, name).toEqual({ message: LATE });
        expect((await berth.expect([200], "GET", `/containers/${name}/json`)).json.State).toMatchObject({
          Status: "running",
          Error: LATE,
        });
      }
      await Promise.all([
        berth.expect([204], "POST", "/containers/hung-stopped/stop?t=1"),
        berth.expect([204], "POST", "/containers/hung-killed/kill"),
        berth.expect([204], "DELETE", "/containers/hung-gone?force=1"),
      ]);
      for (const name of ["hung-stopped", "hung-killed"]) {
        expect((await berth.expect([200], "GET", `/containers/${name}/json`)).json.State).toMatchObject({
          Status: "exited",
          ExitCode: 137,
          Error: "",
        });
        await berth.expect([204], "POST", `/containers/${name}/start`);
        expect(await exec(name)).toMatchObject({ status: 200 });
      }
    },
  );

  test("a runc that hangs fails its own container alone, which can be stopped, started and removed", SLOW, async () => {
    const [id] = await Promise.all([run("hung"), run("other")]);
    const release = hangRunc(`/run/containerd/runc/${berth.instance}`, id);
    expect(await ask("POST", "/containers/hung/pause")).toMatchObject({ status: 503, json: { message: LATE } });
    expect(await exec("other")).toMatchObject({ status: 200 });
    await berth.container.end("SIGKILL");
    await berth.container.start(IMPATIENT);
    // Nor does it hold up a start of the service.
    expect(await exec("other")).toMatchObject({ status: 200 });
    await berth.expect([204], "POST", "/containers/other/restart?t=0");
    expect((await berth.expect([200], "GET", "/containers/hung/json")).json.State.Status).toBe("running");
    await berth.expect([204], "POST", "/containers/hung/stop?t=1");
    release();
    await berth.expect([204], "POST", "/containers/hung/start");
    expect(await exec("hung")).toMatchObject({ status: 200 });
    await berth.expect([204], "DELETE", "/containers/hung?force=1");
    // containerd ends a runc that clears up after a shim, and hangs, after seconds.
    await expect.poll(() => processesOf("runc", id), { timeout: 30_000 }).toEqual([]);
  });

  /** Starts the service until it answers, as what supervises it does. */
  async function supervise(): Promise<void> {
    while (
      !(await berth.container.start(IMPATIENT).then(
        () => true,
        () => false,
      ))
    );
  }

  test.each(["before", "while"])(
    "a containerd that hangs %s the service starts is waited for: each request is told so",
    SLOW,
    async (moment) => {
      const id = await run("kept");
      const daemon = Number.parseInt(readFileSync(PID_FILES.containerd(), "utf8"), 10);
      await berth.container.end("SIGKILL");
      if (moment === "before") await freeze(daemon);
      const starting = supervise();
      const refusal = async (path: string) =>
        ask("GET", path).then(
          ({ status, json }) => [status, json.message],
          // It is about to listen.
          ({ code }) => [code],
        );
      const reason = `the container service is starting: containerd (process ${daemon}) does not answer; try again in a moment`;
      try {
        if (moment === "while") {
          await expect.poll(() => refusal("/_ping"), SLOW).toEqual([503, expect.stringMatching(/is starting/)]);
          await freeze(daemon);
        }
        for (const path of ["/_ping", "/containers/json", `/containers/${id}/json`])
          await expect.poll(() => refusal(path), SLOW).toEqual([503, reason]);
      } finally {
        process.kill(daemon, "SIGCONT");
      }
      await starting;
      expect(await exec("kept")).toMatchObject({ status: 200 });
    },
  );

  test("a start whose runc hangs fails and says so, and its container can be removed", SLOW, async () => {
    // runc may be done before it is stopped.
    for (let attempt = 1; ; attempt++) {
      const id = await create("hung");
      const started = ask("POST", `/containers/${id}/start`);
      const pid = await stopRunc("create", id, started);
      const { status, json } = await started;
      if (status === 204 && attempt < 10) {
        if (pid !== undefined) process.kill(pid, "SIGCONT");
        await berth.expect([204], "DELETE", `/containers/${id}?force=1`);
        continue;
      }
      expect([status, json]).toEqual([503, { message: LATE }]);
      expect((await berth.expect([200], "GET", `/containers/${id}/json`)).json.State).toMatchObject({
        Status: "created",
        Error: LATE,
      });
      await berth.expect([204], "DELETE", `/containers/${id}?force=1`);
      for (const program of ["runc", "containerd-shim"]) expect(processesOf(program, id)).toEqual([]);
      return;
    }
  });
});

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
      // One of the service's connections may be back before another.
      const status = async (method: string, path: string) =>
        (await ask(method, `/containers/${part}-${name}${path}`)).status;
      await expect.poll(() => status("POST", "/start"), SLOW).toBeOneOf([204, 304]);
      await expect.poll(() => status("DELETE", "?force=1"), SLOW).toBeOneOf([204, 404]);
    }
    // Whether they were made and removed is uncertain.
    for (const name of ["new", "removed"]) await ask("DELETE", `/containers/${part}-${name}?force=1`);
    await expect.poll(async () => (await ask("GET", "/containers/json?all=1")).json).toEqual([]);
    // It is the same service.
    process.kill(service, 0);
  },
);
