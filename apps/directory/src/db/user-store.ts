import { fold } from "@berth/directory-domain";
import { and, eq, exists, inArray, like, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { UserField, UserList } from "../accounts/filter.ts";
import type { Profile } from "../accounts/records.ts";
import type { UserFields, UserQuery, UserSort, UserStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { type FilterColumn, type FilterTable, filterSql } from "./filter-sql.ts";
import { startsWith } from "./keyset.ts";
import { USER_COLUMNS, userOf } from "./rows.ts";
import { memberships, userNames, users } from "./schema.ts";
import { VersionedStore } from "./versioned-store.ts";

const FILTER_COLUMNS: Readonly<Record<UserField, FilterColumn>> = {
  id: { column: users.id, as: "id" },
  login: { column: users.loginKey, as: "folded" },
  name: { column: users.name, as: "insensitive" },
  givenName: { column: users.givenName, as: "insensitive" },
  familyName: { column: users.familyName, as: "insensitive" },
  formattedName: { column: users.formattedName, as: "insensitive" },
  externalId: { column: users.externalId, as: "text" },
  active: { column: users.active, as: "boolean" },
  createdAt: { column: users.createdAt, as: "instant" },
  updatedAt: { column: users.updatedAt, as: "instant" },
};

const EMAILS = sql`(
  select ${users.emailKey} as value, ${users.emailType} as type, true as is_primary where ${users.email} is not null
  union all
  select other.key, other.type, false from jsonb_to_recordset(${users.otherEmails}) as other(key text, type text)) item`;

const FILTERS: FilterTable<UserField, UserList> = {
  columns: FILTER_COLUMNS,
  lists: {
    emails: {
      from: EMAILS,
      columns: {
        value: { column: sql`item.value`, as: "folded" },
        type: { column: sql`item.type`, as: "insensitive" },
        primary: { column: sql`item.is_primary`, as: "boolean" },
      },
      indexed: (value) =>
        sql`(${users.emailKey} = ${fold(value)} or ${users.otherEmails} @> ${JSON.stringify([{ key: fold(value) }])}::jsonb)`,
    },
    groups: {
      from: sql`directory.memberships item join directory.groups item_group on item_group.id = item.group_id and item.user_id = ${users.id}`,
      columns: {
        value: { column: sql`item.group_id`, as: "id" },
        display: { column: sql`item_group.name_key`, as: "folded" },
        type: { column: sql`'direct'::text`, as: "insensitive" },
      },
    },
  },
};

const SORT_COLUMNS: Readonly<Record<UserSort, PgColumn | SQL>> = {
  id: users.id,
  login: users.loginKey,
  email: users.emailKey,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
  active: users.active,
  externalId: users.externalId,
  primaryEmail: sql`nullif(${users.emailKey}, '')`,
  name: sql`lower(${users.name})`,
  givenName: sql`lower(${users.givenName})`,
  familyName: sql`lower(${users.familyName})`,
  formattedName: sql`lower(${users.formattedName})`,
};

const DEFAULTS: Profile & Pick<UserFields, "kind" | "fields"> = {
  kind: "person",
  fields: {},
  givenName: null,
  familyName: null,
  formattedName: null,
  emailType: "work",
  otherEmails: [],
};

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
    valuesOf: (fields: Partial<UserFields & Profile & { readonly passHash: string | null }>) => ({
      ...columnsOf(fields),
      ...(fields.login === undefined ? {} : { loginKey: fold(fields.login) }),
      ...(fields.email === undefined ? {} : { emailKey: emailKeyOf(fields.email) }),
    }),
  });
  return {
    async find(id) {
      const [row] = await statements().find.execute({ id });
      return row && userOf(row);
    },
    lock: (id) => records.lock(id),
    create: (fields) => records.create({ ...DEFAULTS, ...fields }),
    change: (id, fields) => records.change(id, fields),
    remove: (id) => records.remove(id),
    page: ({ sort, ...query }, page) =>
      records.page(filterOf(db, query), { column: SORT_COLUMNS[sort.by], order: sort.order }, page),
    count: (query) => records.count(filterOf(db, query)),
    async logins(ids) {
      const named = db.select({ id: users.id, login: users.login }).from(users);
      const rows = ids.length === 0 ? [] : await named.where(inArray(users.id, [...ids]));
      return new Map(rows.map(({ id, login }) => [id, login]));
    },
    async createMany(batch) {
      const rows = batch.map((user) => ({
        ...DEFAULTS,
        ...columnsOf(user),
        loginKey: fold(user.login),
        emailKey: emailKeyOf(user.email),
      }));
      const taken = new Set((await takenRows(db, rows)).map(({ line }) => line));
      if (taken.size > 0) return batch.filter(({ line }) => taken.has(line));
      // One JSON parameter for all rows: planning a statement with thousands of parameters costs more than running it.
      await db.execute(sql`
        insert into directory.users (login, login_key, email, email_key, email_type, other_emails, name, given_name,
          family_name, formatted_name, kind, pass_hash, role, active, external_id, fields)
        select login, "loginKey", email, "emailKey", "emailType", "otherEmails", name, "givenName",
          "familyName", "formattedName", kind, "passHash", role, active, "externalId", fields
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
          login text, "loginKey" text, email text, "emailKey" text, "emailType" text, "otherEmails" jsonb, name text,
          "givenName" text, "familyName" text, "formattedName" text, kind text, "passHash" text, role text,
          active boolean, "externalId" text, fields jsonb)`);
      return [];
    },
    async fieldNames() {
      const rows = await db.execute<{ name: string }>(sql`
        select distinct jsonb_object_keys(fields) as name from directory.users where fields <> '{}' order by 1`);
      return rows.map(({ name }) => name);
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

function emailKeyOf(email: string | null): string {
  return email === null ? "" : fold(email);
}

/** Fields as columns: further addresses are kept with the form they are compared in. */
function columnsOf<F extends Partial<Profile>>({ otherEmails, ...fields }: F) {
  if (otherEmails === undefined) return fields;
  return { ...fields, otherEmails: otherEmails.map((one) => ({ ...one, key: fold(one.value) })) };
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
    query.kind === undefined ? undefined : eq(users.kind, query.kind),
    query.externalId === undefined ? undefined : eq(users.externalId, query.externalId),
    query.filter === undefined ? undefined : filterSql(query.filter, FILTERS),
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
  const keys = rows.flatMap(namesOf);
  const existing = await db.execute<{ key: string }>(sql`
    select key from directory.user_names
    where key in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`);
  const taken = new Set(existing.map(({ key }) => key));
  return rows.filter((row) => {
    const names = namesOf(row);
    const isTaken = names.some((name) => taken.has(name));
    for (const name of names) taken.add(name);
    return isTaken;
  });
}

/** The names of a user; one without an e-mail address has its login alone. */
function namesOf({ loginKey, emailKey }: Named): readonly string[] {
  return emailKey === "" ? [loginKey] : [loginKey, emailKey];
}
