import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { recordsIn } from "./records.ts";

const MANY = 100_000;

describeDirectory("a directory of 100,000 users", (directory) => {
  beforeEach(async () => {
    await directory.database.db.transaction(async (tx) => {
      // Without the triggers of each row: lists and searches read the table alone.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`insert into directory.users (login, login_key, email, email_key)
        select login, login, email, email from (
          select 'user' || lpad(n::text, 6, '0') as login, 'mail' || n || '@example.test' as email
          from generate_series(1, ${sql.raw(String(MANY))}) n) made`);
      await tx.execute(sql`analyze directory.users`);
    });
  });

  test("is listed, walked and searched in pages, which come by an index", async () => {
    const pages = async (query: string) => {
      const answer = await directory.send("GET", `/api/users?sort=login&count=true&limit=50&${query}`);
      const logins = answer.json.map(({ login }: { login: string }) => login);
      const next = /<([^>]*)>;\s*rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
      return { logins, next, total: Number(answer.headers.get("total-count")) };
    };
    const first = await pages("");
    expect([first.logins[0], first.logins[1], first.logins.length, first.total]).toEqual([
      "admin",
      "user000001",
      50,
      MANY + 1,
    ]);
    const cursor = new URL(first.next ?? "", "http://directory.test").searchParams.get("cursor");
    expect((await pages(`cursor=${cursor}`)).logins[0]).toBe("user000050");
    const found = await pages("q=USER0999");
    expect([found.logins[0], found.logins.length, found.total]).toEqual(["user099900", 50, 100]);
    expect((await pages("q=mail77777@")).logins).toEqual(["user077777"]);
    expect((await pages("q=nobody")).total).toBe(0);
    const last = await directory.send("GET", "/api/users?sort=-login&limit=1");
    expect(last.json[0].login).toBe("user100000");

    const scans = await directory.database.db.transaction(async (tx) => {
      const { users } = recordsIn(tx);
      const count = async () => {
        const [row] = await tx.execute<{ scans: string }>(
          sql`select pg_stat_get_xact_numscans('directory.users'::regclass) as scans`,
        );
        return Number(row?.scans);
      };
      // The connection has its earlier ones still to report.
      const before = await count();
      const sort = { by: "login", order: "ascending" } as const;
      await users.page({ sort }, { limit: 50 });
      await users.page({ sort }, { limit: 50, after: { value: "user099000", id: 1 } });
      await users.page({ sort, q: "user0999" }, { limit: 50 });
      await users.count({ sort, q: "user0999" });
      await users.page({ sort, q: "mail77777@" }, { limit: 50 });
      return (await count()) - before;
    });
    expect(scans).toBe(0);
  });
});
