import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { chown } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createClient, privateDatabaseUrl } from "../packages/service-kit/src/database.ts";

const run = promisify(execFile);
const SCRIPT = resolve(import.meta.dirname, "../scripts/postgres.sh");
const NOBODY = 65_534;

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** `scripts/postgres.sh` on a state of its own, as root or as the user `nobody`. */
function privatePostgres(user: "root" | "nobody" | "self") {
  const folder = mkdtempSync(join(tmpdir(), "berth-private-"));
  chmodSync(folder, 0o711);
  const [state, runFolder] = [join(folder, "state"), join(folder, "run")];
  const data = join(state, "postgres/data");
  return {
    data,
    state,
    url: privateDatabaseUrl(runFolder),
    own: () => (user === "nobody" ? chown(folder, NOBODY, NOBODY) : undefined),
    async command(command: string, options = ""): Promise<Ended> {
      const env = {
        ...process.env,
        BERTH_CONF: "/dev/null",
        BERTH_STATE: state,
        BERTH_RUN: runFolder,
        BERTH_POSTGRES_OPTIONS: options,
      };
      const line = ["bash", SCRIPT, command];
      const [program = "", ...args] =
        user === "nobody" ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", ...line] : line;
      return run(program, args, { env }).then(
        ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
        ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
      );
    },
    serverPid: () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]),
    supervisorPid: () => Number(readFileSync(join(runFolder, "postgres.pid"), "utf8")),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Sql = ReturnType<typeof createClient>;

/** Asks until the database answers. */
async function whenBack<T>(query: () => Promise<T>): Promise<T> {
  let answer: T | undefined;
  await expect.poll(async () => (answer = await query().catch(() => undefined))).toBeDefined();
  return answer as T;
}

describe.sequential("the private Postgres", { timeout: 120_000 }, () => {
  const postgres = privatePostgres(process.getuid?.() === 0 ? "root" : "self");
  let sql: Sql;
  const notes = async () =>
    whenBack(async () => (await sql`select text from notes order by text`).map((row) => row.text));
  const hasEnded = (pid: number) =>
    !existsSync(`/proc/${pid}/cmdline`) || readFileSync(`/proc/${pid}/cmdline`, "utf8") === "";
  // A backend may answer once more after its server was killed.
  const kill = async (pid: number) => {
    process.kill(pid, "SIGKILL");
    await expect.poll(() => hasEnded(pid)).toBe(true);
  };

  beforeAll(async () => {
    expect(await postgres.command("start")).toMatchObject({ code: 0 });
    sql = createClient(postgres.url, { max: 1 });
    await sql`create table notes (text text)`;
    await sql`insert into notes values ('kept')`;
  });
  afterAll(async () => {
    await sql?.end();
    await postgres.command("stop");
    postgres.remove();
  });

  test("lets nobody else in: a socket alone, and folders of its own user", async () => {
    expect([...(await sql`show listen_addresses`)]).toEqual([{ listen_addresses: "" }]);
    expect([...(await sql`select rolsuper from pg_roles where rolname = current_user`)]).toEqual([{ rolsuper: false }]);
    for (const folder of [postgres.data, join(postgres.state, "../run/postgres")])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("keeps commits through a power cut: nothing that flushes them is turned off", async () => {
    const settings = await sql`
      select setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums')`;
    expect(settings.map(({ setting }) => setting)).toEqual(["on", "on", "on", "on"]);
  });

  test("is left alone by a second start", async () => {
    const [server, supervisor] = [postgres.serverPid(), postgres.supervisorPid()];
    expect((await postgres.command("start")).output).toContain("runs already");
    expect([postgres.serverPid(), postgres.supervisorPid()]).toEqual([server, supervisor]);
  });

  test("starts again when it was killed, with what was committed", async () => {
    const before = postgres.serverPid();
    await sql`insert into notes values ('a moment before')`;
    await kill(before);
    expect(await notes()).toEqual(["a moment before", "kept"]);
    await expect.poll(() => postgres.serverPid()).not.toBe(before);
  });

  test("goes on when its supervisor was killed, and gets another one by a start", async () => {
    const [server, supervisor] = [postgres.serverPid(), postgres.supervisorPid()];
    await kill(supervisor);
    expect(await notes()).toHaveLength(2);
    expect(await postgres.command("start")).toMatchObject({ code: 0 });
    expect(postgres.serverPid()).toBe(server);
    await kill(server);
    await expect.poll(() => postgres.serverPid()).not.toBe(server);
    expect(await notes()).toHaveLength(2);
  });

  test("is restarted where a setting changed", async () => {
    expect((await postgres.command("start", "work_mem=8MB")).output).toContain("settings changed");
    expect(await whenBack(() => sql`show work_mem`)).toMatchObject([{ work_mem: "8MB" }]);
  });

  test("is gone after a stop, with all its processes, and a further stop is no fault", async () => {
    const [server, supervisor] = [postgres.serverPid(), postgres.supervisorPid()];
    expect(await postgres.command("stop")).toMatchObject({ code: 0 });
    expect([server, supervisor].filter((pid) => !hasEnded(pid))).toEqual([]);
    expect(await postgres.command("stop")).toEqual({ code: 0, output: "" });
    expect(await postgres.command("start")).toMatchObject({ code: 0 });
    expect(await notes()).toHaveLength(2);
  });

  test.each([
    ["global/pg_control is empty", "global/pg_control", (path: string) => writeFileSync(path, "")],
    ["PG_VERSION is missing", "PG_VERSION", (path: string) => rmSync(path)],
  ])("says what to do where %s, and puts nothing in its place", async (_, name, damage) => {
    await postgres.command("stop");
    const path = join(postgres.data, name);
    const before = readFileSync(path);
    damage(path);
    const started = await postgres.command("start");
    expect(started.code).toBe(1);
    expect(started.output).toContain(`the database in ${postgres.data} is damaged`);
    expect(started.output).toContain("Restore a back-up");
    expect(existsSync(path) && readFileSync(path).length > 0).toBe(false);
    expect(readdirSync(postgres.data)).not.toContain("data.part");
    writeFileSync(path, before);
    await chown(path, statSync(postgres.data).uid, statSync(postgres.data).gid);
    expect(await postgres.command("start")).toMatchObject({ code: 0 });
    expect(await notes()).toHaveLength(2);
  });

  test("names the version that a database needs where only another is installed", async () => {
    await postgres.command("stop");
    const version = join(postgres.data, "PG_VERSION");
    const before = readFileSync(version);
    writeFileSync(version, "9\n");
    const started = await postgres.command("start");
    expect(started).toMatchObject({ code: 1, output: expect.stringContaining("apt-get install postgresql-9") });
    writeFileSync(version, before);
  });
});

describe("the private Postgres of another user than root", { timeout: 120_000 }, () => {
  const postgres = privatePostgres(process.getuid?.() === 0 ? "nobody" : "self");
  afterEach(async () => {
    await postgres.command("stop");
    postgres.remove();
  });

  test("runs as that user, and serves it", async () => {
    await postgres.own();
    expect(await postgres.command("start")).toMatchObject({ code: 0 });
    expect(statSync(postgres.data).uid).toBe(process.getuid?.() === 0 ? NOBODY : process.getuid?.());
    const log = readFileSync(join(postgres.state, "log/postgres.log"), "utf8");
    expect(log).toContain("ready to accept connections");
  });
});
