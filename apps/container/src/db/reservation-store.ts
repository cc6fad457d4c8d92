import { eq } from "drizzle-orm";
import type { ReservationStore } from "../ports/reservation.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { portReservations } from "./schema.ts";

/** The rows of reserved host ports. */
export function createReservationStore(db: Database): ReservationStore {
  return withOutages({
    load: async () =>
      (await db.select().from(portReservations)).map((row) => ({
        id: row.id,
        hostIp: row.hostIp,
        hostPorts: { start: row.firstPort, end: row.lastPort },
        protocol: row.protocol,
        claimant: { kind: row.claimantKind, id: row.claimantId, name: row.claimantName },
        since: rfc3339(row.createdAt),
      })),
    insert: async ({ id, hostIp, hostPorts, protocol, claimant, since }) => {
      await db.insert(portReservations).values({
        id,
        hostIp,
        firstPort: hostPorts.start,
        lastPort: hostPorts.end,
        protocol,
        claimantKind: claimant.kind,
        claimantId: claimant.id,
        claimantName: claimant.name,
        createdAt: since,
      });
    },
    delete: async (id) => {
      await db.delete(portReservations).where(eq(portReservations.id, id));
    },
  });
}
