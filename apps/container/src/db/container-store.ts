import { eq } from "drizzle-orm";
import type { Container, ContainerId } from "../containers/container.ts";
import type { ContainerStore, Intent, StoredContainer } from "../containers/store.ts";
import { EngineError } from "../errors.ts";
import { type Database, databaseFault, rfc3339 } from "./database.ts";
import { containers } from "./schema.ts";

const toRow = ({ owner, ...container }: Container) => ({ ...container, owner: owner ?? null });

const fromRow = ({ intent, owner, ...row }: typeof containers.$inferSelect): StoredContainer => ({
  container: { ...row, id: row.id as ContainerId, owner: owner ?? undefined, createdAt: rfc3339(row.createdAt) },
  intent: intent ?? undefined,
});

/** The containers' rows. A taken name is a `conflict`, said by the unique index. */
export const createContainerStore = (db: Database): ContainerStore => {
  const whole = async (write: Promise<unknown>, name: string): Promise<void> => {
    try {
      await write;
    } catch (thrown) {
      if (databaseFault(thrown)?.constraint === "containers_name_key")
        throw new EngineError("conflict", `Conflict. The container name "/${name}" is already in use.`);
      throw thrown;
    }
  };
  return {
    load: async () => (await db.select().from(containers)).map(fromRow),
    insert: (container: Container, intent: Intent) =>
      whole(db.insert(containers).values({ ...toRow(container), intent }), container.name),
    save: (container: Container, intent: Intent | undefined) =>
      whole(
        db
          .update(containers)
          .set({ ...toRow(container), intent: intent ?? null })
          .where(eq(containers.id, container.id)),
        container.name,
      ),
    delete: async (id: ContainerId) => {
      await db.delete(containers).where(eq(containers.id, id));
    },
  };
};
