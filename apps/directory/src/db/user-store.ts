import { fold } from "@berth/directory-domain";
import { and, eq, exists, like, or, type SQL, sql } from "drizzle-orm";
import type { UserField } from "../accounts/filter.ts";
import type { UserFields, UserQuery, UserStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { type FilterColumn, filterSql } from "./filter-sql.ts";
import { startsWith } from "./keyset.ts";
import { USER_COLUMNS, userOf } from "./rows.ts";
import { memberships, userNames, users } from "./schema.ts";
import { VersionedStore } from "./versioned-store.ts";

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

/** The most frequent statements are prepared: built once, and planned once per connection. */
function statementsOn(db: Database) {
  const key = sql.placeholder("key");
  return {
    find: db
      .select(USER_COLUMNS)
      .from(users)
      .where(eq(users.id, sql.placeholder("id")))
      .prepare("find_user"),
    forSignIn: db
      .select({ ...USER_COLUMNS, passHash: users.passHash })
      .from(userNames)
      .innerJoin(users, eq(users.id, userNames.userId))
      .where(eq(userNames.key, key))
      .prepare("for_sign_in"),
  };
}

export function userStore(db: Database): UserStore {
  let made: ReturnType<typeof statementsOn> | undefined;
  const statements = () => {
    made ??= statementsOn(db);
    return made;
  };
  const records = new VersionedStore(db, {
    table: users,
    columns: USER_COLUMNS,
    toRecord: userOf,
    valuesOf: (fields: Partial<UserFields & { readonly passHash: string | null }>) => ({
      ...fields,
      ...(fields.login === undefined ? {} : { loginKey: fold(fields.login) }),
      ...(fields.email === undefined ? {} : { emailKey: fold(fields.email) }),
    }),
  });
  return {
    async find(id) {
      const [row] = await statements().find.execute({ id });
      return row && userOf(row);
    },
    lock: (id) => records.lock(id),
    create: (fields) => records.create(fields),
    change: (id, fields) => records.change(id, fields),
    remove: (id) => records.remove(id),
    page: ({ sort, ...query }, page) =>
      records.page(filterOf(db, query), { column: SORT_COLUMNS[sort.by], order: sort.order }, page),
    count: (query) => records.count(filterOf(db, query)),
    async createMany(batch) {
      const rows = batch.map((user) => ({ ...user, loginKey: fold(user.login), emailKey: fold(user.email) }));
      const taken = await takenRows(db, rows);
      if (taken.length > 0) return taken;
      await db.execute(sql`select set_config('berth.audit', 'off', true)`);
      // One JSON parameter for all rows: planning a statement with thousands of parameters costs more than running it.
      await db.execute(sql`
        insert into directory.users (login, login_key, email, email_key, name, pass_hash, role, active, external_id)
        select login, "loginKey", email, "emailKey", name, "passHash", role, active, "externalId"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
          login text, "loginKey" text, email text, "emailKey" text, name text, "passHash" text, role text,
          active boolean, "externalId" text)`);
      await db.execute(sql`select set_config('berth.audit', '', true)`);
      return [];
    },
    async passHash(id) {
      const [row] = await db.select({ passHash: users.passHash }).from(users).where(eq(users.id, id));
      return row?.passHash ?? null;
    },
    async lockPassHash(id) {
      const [row] = await db
        .select({ active: users.active, passHash: users.passHash })
        .from(users)
        .where(eq(users.id, id))
        .for("no key update");
      return row;
    },
    async forSignIn(loginOrEmail) {
      const [row] = await statements().forSignIn.execute({ key: fold(loginOrEmail) });
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

function filterOf(db: Database, query: Omit<UserQuery, "sort">): SQL | undefined {
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

interface Named {
  readonly loginKey: string;
  readonly emailKey: string;
}

/** The rows whose login or e-mail belongs to an existing user or to an earlier row. */
async function takenRows<Row extends Named>(db: Database, rows: readonly Row[]): Promise<readonly Row[]> {
  const keys = rows.flatMap(({ loginKey, emailKey }) => [loginKey, emailKey]);
  const existing = await db.execute<{ key: string }>(sql`
    select key from directory.user_names
    where key in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`);
  const taken = new Set(existing.map(({ key }) => key));
  return rows.filter(({ loginKey, emailKey }) => {
    const isTaken = taken.has(loginKey) || taken.has(emailKey);
    taken.add(loginKey).add(emailKey);
    return isTaken;
  });
}
