import { databaseFault } from "@berth/service-kit";
import { eq, inArray, sql } from "drizzle-orm";
import type { ContainerId } from "../engine/ids.ts";
import type { LeaseStore, StoredLease } from "../ports/lease-store.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { spanOf } from "./lease-span.ts";
import { containers, leases } from "./schema.ts";

/** Two leases exclude each other; and its narrower twin, which the planner may check first. */
const EXCLUSIONS: ReadonlySet<string | undefined> = new Set(["leases_exclude_overlap", "leases_address_key"]);

/** A statement has room for 65,535 parameters, and a row takes six. */
const ROWS_PER_STATEMENT = 1_000;

/** The leases' rows; the database itself keeps one address, port and protocol with one holder. */
export function createLeaseStore(db: Database): LeaseStore {
  const joined = () =>
    db
      .select({ lease: leases, name: containers.name, owner: containers.owner })
      .from(leases)
      .innerJoin(containers, eq(containers.id, leases.containerId));

  return withOutages({
    load: async () => (await joined()).map(toStored),
    insert: async (containerId, assignments) => {
      const rows = assignments.map((assignment) => ({ ...assignment, containerId, span: spanOf(assignment) }));
      try {
        if (rows.length <= ROWS_PER_STATEMENT) await db.insert(leases).values(rows);
        else
          await db.transaction(async (transaction) => {
            for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
              await transaction.insert(leases).values(rows.slice(from, from + ROWS_PER_STATEMENT));
          });
        return [];
      } catch (thrown) {
        if (!EXCLUSIONS.has(databaseFault(thrown)?.constraint)) throw thrown;
        const spans = `{${rows.map(({ span }) => `"${span}"`).join(",")}}`;
        const excluding = await joined().where(sql`${leases.span} && any(${spans}::numrange[])`);
        // Two of these very leases exclude each other, or the other is gone by now.
        if (excluding.length === 0) throw thrown;
        return excluding.map(toStored);
      }
    },
    delete: async (containerIds) => {
      if (containerIds.length > 0) await db.delete(leases).where(inArray(leases.containerId, [...containerIds]));
    },
  });
}

function toStored({
  lease,
  name,
  owner,
}: {
  lease: typeof leases.$inferSelect;
  name: string;
  owner: string | null;
}): StoredLease {
  return {
    containerPort: lease.containerPort,
    protocol: lease.protocol,
    hostIp: lease.hostIp,
    hostPort: lease.hostPort,
    holder: {
      kind: "container",
      containerId: lease.containerId as ContainerId,
      containerName: name,
      owner: owner ?? undefined,
      since: rfc3339(lease.createdAt),
    },
  };
}
