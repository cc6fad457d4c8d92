import { databaseFault } from "@berth/service-kit";
import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Container } from "../containers/records/container.ts";
import type { ContainerStore, Intent, StoredContainer } from "../containers/records/store.ts";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { type Database, rfc3339, withOutages } from "./database.ts";
import { CONTAINER_ROW } from "./rows/container-row.ts";
import { readColumns, versionOf } from "./rows/row-kind.ts";
import { containers } from "./schema.ts";

const COLUMNS = getTableColumns(containers);

/** The values of all columns, as the statements take them. An absent value is the database's null: a JSON column would take JSON's. */
function toRow(container: Container, intent: Intent | undefined): Record<string, unknown> {
  const row: Readonly<Record<string, unknown>> = { ...container, intent, version: versionOf(CONTAINER_ROW) };
  const values = Object.entries(COLUMNS).map(([name, column]) => {
    const value = row[name] ?? null;
    return [name, value === null ? null : column.mapToDriverValue(value)] as const;
  });
  return Object.fromEntries(values);
}

/** Each step of a container writes its row, so these are prepared: built once, and planned once per connection. */
function statementsOn(db: Database) {
  const places = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, sql`${sql.placeholder(name)}`]));
  const values = places as Readonly<Record<keyof typeof COLUMNS, SQL>>;
  const isRow = eq(containers.id, sql.placeholder("id"));
  return {
    insert: db.insert(containers).values(values).prepare("insert_container"),
    save: db.update(containers).set(values).where(isRow).prepare("save_container"),
    delete: db.delete(containers).where(isRow).prepare("delete_container"),
  };
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
  const statements = statementsOn(db);
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
      whole(statements.insert.execute(toRow(container, intent)), container.name),
    save: (container: Container, intent: Intent | undefined) =>
      whole(statements.save.execute(toRow(container, intent)), container.name),
    delete: async (id: ContainerId) => {
      await statements.delete.execute({ id });
    },
  });
}
