import type { Constraint, Owner } from "@berth/directory-domain";
import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import type { ConstraintRecord } from "../accounts/records.ts";
import type { ConstraintFields, ConstraintStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { type ConstraintRow, constraintOf, isReadable } from "./rows.ts";
import { constraints } from "./schema.ts";

export function constraintStore(db: Database): ConstraintStore {
  const one = (id: number) => db.select().from(constraints).where(eq(constraints.id, id));
  return {
    async find(id) {
      const [row] = await one(id);
      return row && constraintOf(row);
    },
    async lock(id) {
      const [row] = await one(id).for("no key update");
      return row && constraintOf(row);
    },
    async create(owner, fields) {
      const [row] = await db
        .insert(constraints)
        .values({
          ...columnsOf(fields),
          userId: owner.type === "user" ? owner.id : null,
          groupId: owner.type === "group" ? owner.id : null,
        })
        .returning();
      return readable(row);
    },
    async change(id, fields) {
      const [row] = await db
        .update(constraints)
        .set({ ...columnsOf(fields), version: sql`${constraints.version} + 1`, updatedAt: sql`now()` })
        .where(eq(constraints.id, id))
        .returning();
      return readable(row);
    },
    async remove(id) {
      await db.delete(constraints).where(eq(constraints.id, id));
    },
    async ownedBy(owner, page) {
      const rows = await db
        .select()
        .from(constraints)
        .where(and(isOwnedBy(owner), page.after && gt(constraints.id, page.after.id)))
        .orderBy(asc(constraints.id))
        .limit(page.limit);
      return rows.map(constraintOf);
    },
    async countOf(owner) {
      const [row] = await db.select({ total: count() }).from(constraints).where(isOwnedBy(owner));
      return row?.total ?? 0;
    },
  };
}

function isOwnedBy(owner: Owner) {
  return eq(owner.type === "user" ? constraints.userId : constraints.groupId, owner.id);
}

function columnsOf(fields: ConstraintFields) {
  return {
    effect: fields.constraint.effect,
    kind: fields.constraint.kind,
    value: fieldsOf(fields.constraint),
    note: fields.note,
    expiresAt: fields.expiresAt === null ? null : new Date(fields.expiresAt),
  };
}

function fieldsOf(constraint: Constraint): object {
  const { effect: _effect, kind: _kind, ...value } = constraint;
  return value;
}

function readable(row: ConstraintRow | undefined): ConstraintRecord {
  const record = row && constraintOf(row);
  if (record === undefined || !isReadable(record)) throw new Error("cannot parse a constraint that was just written");
  return record;
}
