import { fold } from "@berth/directory-domain";
import { and, count, eq, exists, like, or, type SQL, sql } from "drizzle-orm";
import type { UserField } from "../accounts/filter.ts";
import type { UserQuery, UserStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { type FilterColumn, filterSql } from "./filter-sql.ts";
import { keyset, startsWith } from "./keyset.ts";
import { userColumns, userOf } from "./rows.ts";
import { rowsOf } from "./rows-of.ts";
import { memberships, users } from "./schema.ts";

const FILTER_COLUMNS: Readonly<Record<UserField, FilterColumn>> = {
  id: { column: users.id, as: "id" },
  login: { column: users.loginKey, as: "folded" },
  email: { column: users.emailKey, as: "folded" },
  name: { column: users.name, as: "text" },
  externalId: { column: users.externalId, as: "text" },
  active: { column: users.active, as: "boolean" },
  createdAt: { column: users.createdAt, as: "instant" },
  updatedAt: { column: users.updatedAt, as: "instant" },
};
const SORT_COLUMNS = { id: users.id, login: users.loginKey, email: users.emailKey, createdAt: users.createdAt };

/** What is asked most: made into SQL once, and planned once for each connection. */
function statementsOn(db: Database) {
  const key = sql.placeholder("key");
  return {
    find: db
      .select(userColumns)
      .from(users)
      .where(eq(users.id, sql.placeholder("id")))
      .prepare("find_user"),
    forSignIn: db
      .select({ ...userColumns, passHash: users.passHash, loginKey: users.loginKey })
      .from(users)
      .where(or(eq(users.loginKey, key), eq(users.emailKey, key)))
      .prepare("for_sign_in"),
  };
}

export function userStore(db: Database): UserStore {
  let made: ReturnType<typeof statementsOn> | undefined;
  const statements = () => {
    made ??= statementsOn(db);
    return made;
  };
  return {
    async find(id) {
      const [row] = await statements().find.execute({ id });
      return row && userOf(row);
    },
    async lock(id) {
      const [row] = await db.select(userColumns).from(users).where(eq(users.id, id)).for("no key update");
      return row && userOf(row);
    },
    async create(fields) {
      const [row] = await db
        .insert(users)
        .values({ ...fields, loginKey: fold(fields.login), emailKey: fold(fields.email) })
        .returning(userColumns);
      return userOf(inserted(row));
    },
    async createMany(batch) {
      const rows = batch.map((user) => ({ ...user, loginKey: fold(user.login), emailKey: fold(user.email) }));
      await db.execute(sql`select set_config('berth.audit', 'off', true)`);
      // One parameter for all rows: a statement with thousands of them costs more to plan than to run.
      const made = rowsOf<{ key: string }>(
        await db.execute(sql`
          insert into directory.users (login, login_key, email, email_key, name, pass_hash, role, active, external_id)
          select login, "loginKey", email, "emailKey", name, "passHash", role, active, "externalId"
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
            login text, "loginKey" text, email text, "emailKey" text, name text, "passHash" text, role text,
            active boolean, "externalId" text)
          on conflict do nothing returning login_key as key`),
      );
      await db.execute(sql`select set_config('berth.audit', '', true)`);
      if (made.length === rows.length) return [];
      const keys = new Set(made.map((row) => row.key));
      // Of two lines with one login the first was made and the second is the one to name.
      return rows.filter((row) => !keys.delete(row.loginKey));
    },
    async change(id, fields) {
      const [row] = await db
        .update(users)
        .set({
          ...fields,
          ...(fields.login === undefined ? {} : { loginKey: fold(fields.login) }),
          ...(fields.email === undefined ? {} : { emailKey: fold(fields.email) }),
          version: sql`${users.version} + 1`,
          updatedAt: sql`now()`,
        })
        .where(eq(users.id, id))
        .returning(userColumns);
      return userOf(inserted(row));
    },
    async remove(id) {
      await db.delete(users).where(eq(users.id, id));
    },
    async page(query, page) {
      const { where, orderBy } = keyset(SORT_COLUMNS[query.sort.by], users.id, query.sort.order, page);
      const rows = await db
        .select(userColumns)
        .from(users)
        .where(and(filterOf(db, query), where))
        .orderBy(...orderBy)
        .limit(page.limit)
        .offset(page.offset ?? 0);
      return rows.map(userOf);
    },
    async count(query) {
      const [row] = await db.select({ total: count() }).from(users).where(filterOf(db, query));
      return row?.total ?? 0;
    },
    async passHash(id) {
      const [row] = await db.select({ passHash: users.passHash }).from(users).where(eq(users.id, id));
      return row?.passHash ?? null;
    },
    async forSignIn(loginOrEmail) {
      const key = fold(loginOrEmail);
      const rows = await statements().forSignIn.execute({ key });
      // A login may look like another's e-mail: the login wins, so that nobody can stand in another's way.
      const row = rows.find((candidate) => candidate.loginKey === key) ?? rows[0];
      return row && { user: userOf(row), passHash: row.passHash };
    },
    async rehash(id, from, to) {
      await db.execute(sql`select set_config('berth.audit', 'off', true)`);
      await db
        .update(users)
        .set({ passHash: to })
        .where(and(eq(users.id, id), eq(users.passHash, from)));
      await db.execute(sql`select set_config('berth.audit', '', true)`);
    },
  };
}

function filterOf(db: Database, query: UserQuery): SQL | undefined {
  return and(
    query.login === undefined ? undefined : eq(users.loginKey, fold(query.login)),
    query.email === undefined ? undefined : eq(users.emailKey, fold(query.email)),
    query.q === undefined
      ? undefined
      : or(like(users.loginKey, startsWith(fold(query.q))), like(users.emailKey, startsWith(fold(query.q)))),
    query.active === undefined ? undefined : eq(users.active, query.active),
    query.role === undefined ? undefined : eq(users.role, query.role),
    query.externalId === undefined ? undefined : eq(users.externalId, query.externalId),
    query.filter === undefined ? undefined : filterSql(query.filter, FILTER_COLUMNS),
    query.group === undefined
      ? undefined
      : exists(
          db
            .select({ one: sql`1` })
            .from(memberships)
            .where(and(eq(memberships.userId, users.id), eq(memberships.groupId, query.group))),
        ),
  );
}

/** A statement with `returning` on a row that this transaction made or locked gives that row. */
export function inserted<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("the statement returned no row");
  return row;
}
