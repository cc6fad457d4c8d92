import { fold } from "@berth/directory-domain";
import { and, asc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import type { TransferStore } from "../accounts/transfer-store.ts";
import type { Database } from "./database.ts";
import { constraints, groups, memberships, users } from "./schema.ts";

/** Values as one parameter: a statement with thousands of them costs more to plan than to run. */
function json(values: readonly unknown[]): SQL {
  return sql`${JSON.stringify(values)}::jsonb`;
}

export function transferStore(db: Database): TransferStore {
  return { ...readers(db), ...writers(db) };
}

type Reading = "passHashes" | "userIds" | "groupIds" | "memberships" | "subgroups" | "constraints";

function readers(db: Database): Pick<TransferStore, Reading> {
  const idsBy = async (table: SQL, key: SQL, names: readonly string[]) => {
    const rows = await db.execute<{ id: number | string; key: string }>(sql`
      select id, ${key} as key from ${table} where ${key} in (select jsonb_array_elements_text(${json(names.map(fold))}))`);
    return new Map(rows.map((row) => [row.key, Number(row.id)]));
  };
  return {
    async passHashes(userIds) {
      const rows = await db
        .select({ id: users.id, passHash: users.passHash })
        .from(users)
        .where(inArray(users.id, [...userIds]));
      return new Map(rows.flatMap(({ id, passHash }) => (passHash === null ? [] : [[id, passHash] as const])));
    },
    userIds: (logins) => idsBy(sql`directory.users`, sql`login_key`, logins),
    groupIds: (names) => idsBy(sql`directory.groups`, sql`name_key`, names),
    memberships: (after, limit) =>
      db
        .select({
          userId: memberships.userId,
          groupId: memberships.groupId,
          user: users.login,
          group: groups.name,
          role: memberships.role,
        })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .innerJoin(groups, eq(groups.id, memberships.groupId))
        .where(
          or(
            gt(memberships.groupId, after.groupId),
            and(eq(memberships.groupId, after.groupId), gt(memberships.userId, after.userId)),
          ),
        )
        .orderBy(asc(memberships.groupId), asc(memberships.userId))
        .limit(limit),
    async subgroups(after, limit) {
      const rows = await db.execute<
        Record<"group_id" | "subgroup_id", number | string> & Record<"a" | "b", string>
      >(sql`
        select s.group_id, s.subgroup_id, g.name as a, n.name as b from directory.subgroups s
          join directory.groups g on g.id = s.group_id join directory.groups n on n.id = s.subgroup_id
        where (s.group_id, s.subgroup_id) > (${after.groupId}, ${after.subgroupId})
        order by s.group_id, s.subgroup_id limit ${limit}`);
      return rows.map((row) => ({
        groupId: Number(row.group_id),
        subgroupId: Number(row.subgroup_id),
        group: row.a,
        subgroup: row.b,
      }));
    },
    async constraints(afterId, limit) {
      const rows = await db
        .select({ row: constraints, user: users.login, group: groups.name })
        .from(constraints)
        .leftJoin(users, eq(users.id, constraints.userId))
        .leftJoin(groups, eq(groups.id, constraints.groupId))
        .where(gt(constraints.id, afterId))
        .orderBy(asc(constraints.id))
        .limit(limit);
      return rows.map(({ row, user, group }) => ({
        id: row.id,
        user,
        group,
        effect: row.effect,
        kind: row.kind,
        value: row.value as object,
        note: row.note,
        expiresAt: row.expiresAt?.toISOString() ?? null,
      }));
    },
  };
}

function writers(db: Database): Omit<TransferStore, Reading> {
  const set = (name: string, value: string) => db.execute(sql`select set_config(${name}, ${value}, true)`);
  return {
    async addGroups(added) {
      const rows = added.map((group) => ({ ...group, key: fold(group.name) }));
      await db.execute(sql`
        insert into directory.groups (name, name_key, external_id, fields)
        select name, key, "externalId", fields
        from jsonb_to_recordset(${json(rows)}) as r(name text, key text, "externalId" text, fields jsonb)`);
    },
    async addMemberships(added) {
      await db.execute(sql`
        insert into directory.memberships (user_id, group_id, role)
        select "userId", "groupId", role
        from jsonb_to_recordset(${json(added)}) as r("userId" bigint, "groupId" bigint, role text)
        on conflict (user_id, group_id) do update set role = excluded.role`);
    },
    async addConstraints(added) {
      await db.execute(sql`
        insert into directory.constraints (user_id, group_id, effect, kind, value, note, expires_at)
        select "userId", "groupId", effect, kind, value, note, "expiresAt"
        from jsonb_to_recordset(${json(added)}) as r("userId" bigint, "groupId" bigint, effect text, kind text, value jsonb,
          note text, "expiresAt" timestamptz)`);
    },
    async removeConstraintsOf(owners) {
      const ids = (list: readonly number[]) =>
        sql`(select value::bigint from jsonb_array_elements_text(${json(list)}))`;
      await db.execute(sql`
        delete from directory.constraints where user_id in ${ids(owners.users)} or group_id in ${ids(owners.groups)}`);
    },
    async inBulk(work) {
      await set("berth.audit", "off");
      await set("berth.bulk", "on");
      await work();
      await set("berth.bulk", "");
      await set("berth.audit", "");
      await db.execute(sql`select directory.raise_epoch('{"all": true}')`);
    },
  };
}
