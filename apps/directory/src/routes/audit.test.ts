import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";

interface Entry {
  readonly id: number;
  readonly at: string;
  readonly action: string;
  readonly target: string;
  readonly outcome: string;
  readonly actor: number | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

describeDirectory("the record of engine actions", (directory) => {
  let token = "";
  beforeEach(async () => {
    token = (await directory.send("POST", "/api/tokens", { json: { label: "host", scopes: ["report"] } })).json.token;
  });

  function entryOf(n: number, fields: object = {}) {
    return {
      reportId: uuid(n),
      at: new Date(Date.UTC(2030, 0, 31, 8, 0, n)).toISOString(),
      actor: 1,
      action: "container.create",
      target: `container/web${n}`,
      outcome: "done",
      bypass: false,
      details: {},
      ...fields,
    };
  }
  async function report(entries: readonly object[]): Promise<number> {
    return (await directory.send("POST", "/api/audit/reports", { token, json: { host: "build1", entries } })).status;
  }
  async function list(query: string): Promise<readonly Entry[]> {
    return (await directory.send("GET", `/api/audit?${query}`)).json;
  }

  test("tells who did what, where, and who reported it", async () => {
    const { id } = await directory.addUser("ann");
    const reason = "denied by policy: host-ports 9000/tcp is not granted";
    const details = { login: "ann", via: "token", image: "nginx", reason };
    expect(await report([entryOf(1, { actor: id, outcome: "refused", details })])).toBe(204);
    expect(await list(`actor=${id}&outcome=refused`)).toMatchObject([
      {
        actor: id,
        action: "container.create",
        target: "container/web1",
        outcome: "refused",
        bypass: false,
        after: { ...details, host: "build1", reportedBy: 1 },
      },
    ]);
  });

  test("counts a repeated entry once", async () => {
    expect(await report([entryOf(1), entryOf(2)])).toBe(204);
    expect(await report([entryOf(2), entryOf(3), entryOf(3)])).toBe(204);
    expect((await list("action=container.create")).map(({ target }) => target)).toEqual([
      "container/web3",
      "container/web2",
      "container/web1",
    ]);
  });

  test("lists by the time of the action, whenever the report arrived, page by page", async () => {
    for (const n of [3, 1, 5, 2, 4]) await report([entryOf(n)]);
    const seen: string[] = [];
    let path: string | undefined = "/api/audit?action=container.create&limit=2";
    while (path !== undefined) {
      const page = await directory.send("GET", path);
      seen.push(...page.json.map(({ target }: Entry) => target));
      path = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map((n) => `container/web${n}`));
  });

  test("finds what a user did and what was done to it, and administrators' use of engines", async () => {
    const { id } = await directory.addUser("ann");
    const root = { actor: null, bypass: true, details: { login: "root", via: "administrators-socket" } };
    await directory.send("POST", `/api/users/${id}/constraints`, { json: { kind: "images", patterns: ["*"] } });
    await directory.addGroup("web", [id]);
    await report([entryOf(1, { actor: id }), entryOf(2, root), entryOf(3, { actor: id, outcome: "failed" })]);
    await report([entryOf(4, { ...root, details: { ...root.details, ownerId: id } })]);
    const actions = async (query: string) => (await list(query)).map(({ action }) => action);
    expect(await actions(`user=${id}`)).toEqual([
      "container.create",
      "container.create",
      "container.create",
      "membership.create",
      "constraint.create",
      "token.create",
      "user.create",
    ]);
    expect((await list("bypass=true")).map(({ target }) => target)).toEqual(["container/web4", "container/web2"]);
    expect((await list(`user=${id}&bypass=false&outcome=failed`)).map(({ target }) => target)).toEqual([
      "container/web3",
    ]);
    expect((await list("target=container/web1")).map(({ actor }) => actor)).toEqual([id]);
  });

  test("finds what the directory itself refused by the same query", async () => {
    const { id, token: own } = await directory.addUser("ann");
    await directory.send("GET", "/api/users", { token: own });
    await directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass: "not the password" } });
    const refused = await list(`user=${id}&outcome=refused`);
    expect(refused.map(({ action }) => action).sort()).toEqual(["access.refuse", "signin.fail"]);
  });

  test.each<[string, object]>([
    ["an action of the directory", { action: "user.create" }],
    ["a target of the directory", { target: "user/1" }],
    ["an outcome that there is not", { outcome: "allowed" }],
    ["further details", { details: { environment: "SECRET=1" } }],
    ["a name with control characters", { details: { name: "a\nb" } }],
    ["no id of its own", { reportId: "1" }],
  ])("refuses a report with %s, whole", async (_name, fields) => {
    expect(await report([entryOf(1), entryOf(2, fields)])).toBe(422);
    expect(await list("action=container.create")).toEqual([]);
  });

  test("refuses more than 500 entries at once", async () => {
    expect(await report(Array.from({ length: 501 }, (_, n) => entryOf(n)))).toBe(422);
    expect(await report(Array.from({ length: 500 }, (_, n) => entryOf(n)))).toBe(204);
  });

  test("is pruned with the rest of the audit", async () => {
    await report([entryOf(1, { at: "2020-01-01T00:00:00.000Z" }), entryOf(2)]);
    await directory.deps.records.change(null, (stores) => stores.audit.prune("2025-01-01T00:00:00.000Z"));
    expect((await list("action=container.create")).map(({ target }) => target)).toEqual(["container/web2"]);
  });

  test("entries from before outcomes were recorded get theirs", async () => {
    const { db } = directory.database;
    await db.execute(
      sql`insert into directory.audit (action, target) values ('signin.fail', 'signin'), ('user.create', 'user/7')`,
    );
    const file = new URL("../../drizzle/0007_engine-actions.sql", import.meta.url);
    const statements = readFileSync(file, "utf8").split("--> statement-breakpoint").slice(-3);
    await db.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(sql.raw(statement));
    });
    expect((await list("outcome=refused")).map(({ action }) => action)).toEqual(["signin.fail"]);
    await expect(db.execute("delete from directory.audit")).rejects.toThrow("Failed query");
  });
});
