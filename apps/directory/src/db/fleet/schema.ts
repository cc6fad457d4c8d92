import type { PlacePorts } from "@berth/directory-domain";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  numeric,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { directory, tokens } from "../schema.ts";

/** Names by which the ledger recognises errors. */
export const NAME_TAKEN = "fleet_places_name_key";
export const PORT_TAKEN = "fleet_ports_apart";
export const HOST_THERE = "fleet_places_host_there";
export const ROOM_LEFT = "fleet_places_room_left";

const account = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
const int8range = customType<{ data: string }>({ dataType: () => "int8range" });
function instant(name: string) {
  return timestamp(name, { withTimezone: true, mode: "date", precision: 3 });
}

/** Hosts that hold places for the fleet. */
export const fleetHosts = directory.table("fleet_hosts", {
  name: text("name").primaryKey(),
  /** Folded into accounts and spans of ports; a host that comes back after it was forgotten gets another one. */
  number: bigint("number", { mode: "number" }).notNull().unique().generatedAlwaysAsIdentity(),
  /** The token that speaks for the host; one that is revoked leaves its place to the next. */
  tokenId: bigint("token_id", { mode: "number" }).references(() => tokens.id, { onDelete: "set null" }),
  /** What the next report has to carry. */
  turn: bigint("turn", { mode: "number" }).notNull(),
  address: text("address").notNull(),
  memory: bigint("memory", { mode: "number" }).notNull(),
  cpu: numeric("cpu", { mode: "number" }).notNull(),
  isDraining: boolean("is_draining").notNull().default(false),
  seenAt: instant("seen_at").notNull().defaultNow(),
});

/** What places take of a user's quotas, of quotas that users share, and of hosts. */
export const fleetAccounts = directory.table(
  "fleet_accounts",
  { account: account("account").primaryKey(), used: numeric("used", { mode: "number" }).notNull() },
  (t) => [check("fleet_accounts_used", sql`${t.used} >= 0`)],
);

export const fleetPlaces = directory.table(
  "fleet_places",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
    /** No reference: a place outlives its user until its host has ended it. */
    userId: bigint("user_id", { mode: "number" }).notNull(),
    host: text("host").references(() => fleetHosts.name),
    memory: bigint("memory", { mode: "number" }).notNull(),
    cpu: numeric("cpu", { mode: "number" }).notNull(),
    pids: integer("pids").notNull(),
    ports: jsonb("ports").$type<readonly PlacePorts[]>().notNull(),
    /** `placing` while its host is being chosen: nobody sees it as a place yet. */
    state: text("state", { enum: ["placing", "wanted", "ready", "ending"] })
      .notNull()
      .default("wanted"),
    since: instant("since").notNull().defaultNow(),
    until: instant("until"),
    containers: integer("containers").notNull().default(0),
    /** What it takes of which account; null where one had no room, which no row may have. */
    amounts: jsonb("amounts"),
    /** The uid of its Pod, where Kubernetes chose the host. */
    pod: text("pod"),
  },
  (t) => [
    uniqueIndex(NAME_TAKEN).on(t.userId, t.name),
    index("fleet_places_by_host").on(t.host),
    check(HOST_THERE, sql`${t.host} is not null or ${t.state} = 'placing'`),
    check(ROOM_LEFT, sql`${t.amounts} is not null`),
  ],
);

/**
 * Ports of places. `span` is (host, protocol, port) as a range of one line of numbers, so that one exclusion constraint keeps them apart.
 * The migration defines it, because drizzle cannot express it.
 */
export const fleetPorts = directory.table(
  "fleet_ports",
  {
    placeId: bigint("place_id", { mode: "number" })
      .notNull()
      .references(() => fleetPlaces.id, { onDelete: "cascade" }),
    span: int8range("span").notNull(),
  },
  (t) => [index("fleet_ports_by_place").on(t.placeId)],
);
