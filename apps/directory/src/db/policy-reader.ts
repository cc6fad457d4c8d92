import type {
  ConstraintId,
  GroupId,
  OwnedConstraint,
  Owner,
  UnreadableConstraint,
  UserId,
} from "@berth/directory-domain";
import { parseConstraint } from "@berth/directory-domain";
import { eq, sql } from "drizzle-orm";
import type { PolicyReader } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { policy, users } from "./schema.ts";

type ConstraintRow = readonly [
  id: number,
  via: Owner["type"],
  owner: number,
  effect: string,
  kind: string,
  value: object | null,
  expires: string | null,
  /** The owner's name where it is a group. */
  name: string | null,
];

const VERSION = sql<string>`${users.policyVersion} || ':' || ${policy.epoch}`;

/*
 * One statement, so that version and constraints belong to one instant, planned once for each connection. `union all` and
 * not `or`: each side walks its own index. The constraints come as one JSON array: a hundred rows are read in a quarter of
 * the time that way.
 */
function effectiveStatement(db: Database) {
  return db
    .select({
      login: users.login,
      role: users.role,
      active: users.active,
      version: VERSION,
      constraints: sql<readonly ConstraintRow[] | null>`(
        select json_agg(json_build_array(id, via, owner, effect, kind, value,
          to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), name))
        from (
          select id, 'user' as via, user_id as owner, effect, kind, value, expires_at, null as name
            from directory.constraints where user_id = ${users.id}
          union all
          select g.id, 'group', g.group_id, g.effect, g.kind, g.value, g.expires_at, n.name
            from directory.memberships m join directory.groups n on n.id = m.group_id
              join directory.constraints g on g.group_id = m.group_id
            where m.user_id = ${users.id}
        ) c)`,
    })
    .from(users)
    .crossJoin(policy)
    .where(eq(users.id, sql.placeholder("user")))
    .prepare("effective");
}

function versionStatement(db: Database) {
  return db
    .select({ version: VERSION })
    .from(users)
    .crossJoin(policy)
    .where(eq(users.id, sql.placeholder("user")))
    .prepare("policy_version");
}

export function policyReader(db: Database): PolicyReader {
  let statement: ReturnType<typeof effectiveStatement> | undefined;
  let versionOnly: ReturnType<typeof versionStatement> | undefined;
  return {
    async effective(userId) {
      statement ??= effectiveStatement(db);
      const [found] = await statement.execute({ user: userId });
      if (found === undefined) return undefined;
      const constraints: OwnedConstraint[] = [];
      const unreadable: UnreadableConstraint[] = [];
      for (const [constraintId, via, ownerId, effect, kind, value, expiresAt, name] of found.constraints ?? []) {
        const id = constraintId as ConstraintId;
        const owner: Owner =
          via === "user"
            ? { type: via, id: ownerId as UserId }
            : { type: via, id: ownerId as GroupId, name: name ?? "" };
        // Assigned, not spread: these objects are of this reading alone, and copies of them are half of its cost.
        const parsed = parseConstraint(Object.assign(value ?? {}, { effect, kind }));
        if (parsed.ok) constraints.push(Object.assign(parsed.value, { id, owner, expiresAt }));
        else unreadable.push({ id, owner, kind });
      }
      const subject = { id: userId as UserId, login: found.login, role: found.role, active: found.active };
      return { subject, version: found.version, constraints, unreadable };
    },
    async version(userId) {
      versionOnly ??= versionStatement(db);
      const [found] = await versionOnly.execute({ user: userId });
      return found?.version;
    },
  };
}
