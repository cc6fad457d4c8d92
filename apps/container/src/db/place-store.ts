import { eq } from "drizzle-orm";
import type { PlaceStore } from "../places/place.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { places } from "./schema.ts";

/** The rows of the host's places. */
export function createPlaceStore(db: Database): PlaceStore {
  return withOutages({
    load: async () =>
      (await db.select().from(places)).map(({ memory, cpu, pids, since, until, grant, podGroup, ...row }) => ({
        ...row,
        size: { memory, cpu, pids },
        ...{ grant: grant ?? undefined, podGroup: podGroup ?? undefined },
        since: rfc3339(since),
        until: until === null ? undefined : rfc3339(until),
      })),
    save: async ({ id, user, name, login, size, ports, state, since, until, grant, podGroup }) => {
      const values = {
        id,
        user,
        name,
        login,
        ...size,
        ports,
        state,
        since,
        until: until ?? null,
        grant: grant ?? null,
        podGroup: podGroup ?? null,
      };
      await db
        .insert(places)
        .values(values)
        .onConflictDoUpdate({ target: places.id, set: { state, until: values.until } });
    },
    delete: async (id) => {
      await db.delete(places).where(eq(places.id, id));
    },
  });
}
