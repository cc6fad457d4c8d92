import { databaseFault } from "@berth/service-kit";
import { eq } from "drizzle-orm";
import type { Container } from "../containers/records/container.ts";
import type { ContainerStore, Intent, StoredContainer } from "../containers/records/store.ts";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { CONTAINER_ROW } from "./rows/container-row.ts";
import { readColumns, versionOf } from "./rows/row-kind.ts";
import { containers } from "./schema.ts";

function toRow({ owner, imageNames, ...container }: Container) {
  return { ...container, owner: owner ?? null, imageNames: imageNames ?? null, version: versionOf(CONTAINER_ROW) };
}

function fromRow(row: typeof containers.$inferSelect): StoredContainer {
  const { version: _version, intent: _intent, imageNames: _names, ...plain } = row;
  const { intent, imageNames, ...columns } = readColumns(CONTAINER_ROW, row.id, row);
  return {
    container: {
      ...plain,
      ...columns,
      id: row.id as ContainerId,
      owner: row.owner ?? undefined,
      createdAt: rfc3339(row.createdAt),
      ...(imageNames === null ? {} : { imageNames }),
    },
    intent: intent ?? undefined,
  };
}

/** The containers' rows. A taken name is a `conflict`, said by the unique index. */
export function createContainerStore(db: Database): ContainerStore {
  const whole = async (write: Promise<unknown>, name: string): Promise<void> => {
    try {
      await write;
    } catch (thrown) {
      if (databaseFault(thrown)?.constraint === "containers_name_key")
        throw new EngineError("conflict", `Conflict. The container name "/${name}" is already in use.`);
      throw thrown;
    }
  };
  return withOutages({
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
  });
}
