import { endpointsOverlap } from "@berth/port-spec";
import { databaseFault } from "@berth/service-kit";
import { eq, sql } from "drizzle-orm";
import type { ContainerId } from "../engine/ids.ts";
import type { LeaseStore, StoredLease } from "../ports/lease-store.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { spansOf } from "./lease-span.ts";
import { containers, leases } from "./schema.ts";

/** Two leases exclude each other; and its narrower twin, which the planner may check first. */
const EXCLUSIONS: ReadonlySet<string | undefined> = new Set(["leases_exclude_overlap", "leases_address_key"]);

/** The leases' rows; the database itself keeps one address, port and protocol with one holder. */
export function createLeaseStore(db: Database): LeaseStore {
  const joined = () =>
    db
      .select({ lease: leases, name: containers.name, owner: containers.owner })
      .from(leases)
      .innerJoin(containers, eq(containers.id, leases.containerId));
  // Every end of a container runs it.
  const deleteOf = db
    .delete(leases)
    .where(sql`${leases.containerId} = any(${sql.placeholder("ids")}::text[])`)
    .prepare("delete_leases");

  return withOutages({
    load: async () => (await joined()).map(toStored),
    insert: async (containerId, assignments) => {
      const spans = spansOf(assignments);
      const rows = JSON.stringify(assignments.map((assignment) => ({ ...assignment, span: spans.get(assignment) })));
      try {
        // One parameter, however many rows: building and parsing one for each field takes longer than storing them.
        await db.execute(sql`
          insert into ${leases} (container_id, protocol, host_ip, host_port, container_port, span)
          select ${containerId}, protocol, "hostIp", "hostPort", "containerPort", span
          from json_to_recordset(${rows}::text::json)
            as row (protocol text, "hostIp" text, "hostPort" integer, "containerPort" integer, span numrange)`);
        return [];
      } catch (thrown) {
        if (!EXCLUSIONS.has(databaseFault(thrown)?.constraint)) throw thrown;
        const ports = assignments.map(({ hostPort }) => hostPort);
        const near = await joined().where(sql`${leases.hostPort} = any(${`{${ports.join(",")}}`}::integer[])`);
        const excluding = near.filter(({ lease }) => assignments.some((one) => endpointsOverlap(one, lease)));
        // Two of these very leases exclude each other, or the other is gone by now.
        if (excluding.length === 0) throw thrown;
        return excluding.map(toStored);
      }
    },
    delete: async (containerIds) => {
      if (containerIds.length > 0) await deleteOf.execute({ ids: `{${containerIds.join(",")}}` });
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
