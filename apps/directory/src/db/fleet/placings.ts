import { sql } from "drizzle-orm";
import type { Amount, TakeFault } from "../../fleet/ledger.ts";
import type { PlaceWish } from "../../fleet/place.ts";
import { ABANDONED_SECONDS, type Placings, type PodRow, type Site } from "../../fleet/placements/placings.ts";
import type { Database } from "../database.ts";
import { readDatabaseError } from "../database-error.ts";
import { ids, readTakeFault, release, TELL_HOST } from "./parts.ts";
import { reserveStatement, settleStatement } from "./take-statement.ts";

/** Places that have no host yet, and the Pods of those that have, in the directory's database. */
export class FleetPlacings implements Placings {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async reserve(wish: PlaceWish, amounts: readonly Amount[]): Promise<number | "room" | "name"> {
    try {
      const [row] = await this.#db.execute<{ id: number | string }>(reserveStatement(wish, amounts));
      if (row === undefined) throw new Error("a place was neither reserved nor refused");
      return Number(row.id);
    } catch (thrown) {
      const fault = readTakeFault(thrown);
      if (fault === "room" || fault === "name") return fault;
      throw thrown;
    }
  }

  async settle(actor: number, id: number, at: Site, wish: PlaceWish): Promise<"settled" | "gone" | TakeFault> {
    try {
      const rows = await this.#db.execute(settleStatement(actor, id, at, wish));
      return rows.length > 0 ? "settled" : "gone";
    } catch (thrown) {
      return readTakeFault(thrown);
    }
  }

  cancel(id: number): Promise<void> {
    return this.#cancelWhere(sql`id = ${id}`);
  }

  cancelAbandoned(): Promise<void> {
    return this.#cancelWhere(sql`since < now() - make_interval(secs => ${ABANDONED_SECONDS})`);
  }

  async rows(of?: readonly number[]): Promise<ReadonlyMap<number, PodRow>> {
    const which = of === undefined ? sql`pod is not null` : sql`id in (${ids(of)})`;
    const rows = await this.#db.execute<{ id: number | string; state: PodRow["state"]; pod: string | null }>(
      sql`select id, state, pod from directory.fleet_places where ${which}`,
    );
    return new Map(rows.map(({ id, state, pod }) => [Number(id), { state, pod: pod ?? undefined }]));
  }

  async lose(id: number): Promise<void> {
    await this.#db.execute(sql`
      with place as (
        update directory.fleet_places set state = 'ending'
        where id = ${id} and pod is not null and state in ('wanted', 'ready') returning id, host, user_id, name),
      noted as (
        insert into directory.audit (actor, action, target, after)
        select null, 'place.lose', 'place/' || id, jsonb_build_object('ownerId', user_id, 'name', name, 'host', host) from place)
      select ${TELL_HOST} from place`);
  }

  #cancelWhere(condition: ReturnType<typeof sql>): Promise<void> {
    return this.#db
      .transaction(async (tx) => {
        const rows = await tx.execute<{ id: number | string }>(
          sql`select id from directory.fleet_places where state = 'placing' and ${condition} order by id for update`,
        );
        await release(
          tx,
          rows.map(({ id }) => Number(id)),
        );
      })
      .catch((thrown: unknown) => {
        throw readDatabaseError(thrown);
      });
  }
}
