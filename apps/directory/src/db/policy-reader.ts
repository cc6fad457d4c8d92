import type {
  ConstraintId,
  GroupId,
  OwnedConstraint,
  Owner,
  UnreadableConstraint,
  UserId,
} from "@berth/directory-domain";
import { parseConstraint } from "@berth/directory-domain";
import { sql } from "drizzle-orm";
import type { PolicyReader } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { rowsOf } from "./rows-of.ts";

interface EffectiveRow extends Record<string, unknown> {
  readonly login: string;
  readonly role: "user" | "operator" | "admin";
  readonly active: boolean;
  readonly version: string;
  readonly id: number | string | null;
  readonly via: Owner["type"] | null;
  readonly owner: number | string | null;
  readonly effect: string | null;
  readonly kind: string | null;
  readonly value: object | null;
  readonly expires: string | null;
}

/*
 * One statement, so that version and constraints belong to one instant. `union all` and not `or`: each side walks its own
 * index. The user's row comes along with every constraint, and once alone for a user without any.
 */
const effective = (userId: number) => sql`
  select u.login, u.role, u.active, u.policy_version || ':' || p.epoch as version,
    c.id, c.via, c.owner, c.effect, c.kind, c.value,
    to_char(c.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as expires
  from directory.users u cross join directory.policy p
  left join lateral (
    select id, 'user' as via, user_id as owner, effect, kind, value, expires_at
      from directory.constraints where user_id = u.id
    union all
    select g.id, 'group', g.group_id, g.effect, g.kind, g.value, g.expires_at
      from directory.memberships m join directory.constraints g on g.group_id = m.group_id where m.user_id = u.id
  ) c on true
  where u.id = ${userId}`;

export function policyReader(db: Database): PolicyReader {
  return {
    async effective(userId) {
      const rows = rowsOf<EffectiveRow>(await db.execute(effective(userId)));
      const [first] = rows;
      if (first === undefined) return undefined;
      const constraints: OwnedConstraint[] = [];
      const unreadable: UnreadableConstraint[] = [];
      for (const row of rows) {
        if (row.id === null || row.kind === null) continue;
        const id = Number(row.id) as ConstraintId;
        const owner = { type: row.via, id: Number(row.owner) as UserId & GroupId } as Owner;
        const parsed = parseConstraint({ ...row.value, effect: row.effect, kind: row.kind });
        if (parsed.ok) constraints.push({ ...parsed.value, id, owner, expiresAt: row.expires });
        else unreadable.push({ id, owner, kind: row.kind });
      }
      const subject = { id: userId as UserId, login: first.login, role: first.role, active: first.active };
      return { subject, version: first.version, constraints, unreadable };
    },
    async version(userId) {
      const rows = rowsOf<{ version: string }>(
        await db.execute(sql`
          select u.policy_version || ':' || p.epoch as version
          from directory.users u cross join directory.policy p where u.id = ${userId}`),
      );
      return rows[0]?.version;
    },
  };
}
