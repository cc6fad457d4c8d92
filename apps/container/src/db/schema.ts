import type { PlacePorts } from "@berth/directory-domain";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

/** The version of a row's JSON columns: see `rows/`. */
function version() {
  return integer().notNull().default(1);
}

const numrange = customType<{ data: string }>({ dataType: () => "numrange" });

export const containers = pgTable(
  "containers",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    owner: text(),
    image: text().notNull(),
    imageId: text("image_id").notNull(),
    imageNames: jsonb("image_names"),
    layers: text().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull(),
    version: version(),
    config: jsonb().notNull(),
    hostConfig: jsonb("host_config").notNull(),
    endpoints: jsonb().notNull(),
    ports: jsonb().notNull(),
    mounts: jsonb().notNull(),
    state: jsonb().notNull(),
    /** The operation in progress: the reconciler finishes or undoes it. */
    intent: jsonb(),
    restartCount: integer("restart_count").notNull().default(0),
    stoppedByUser: boolean("stopped_by_user").notNull().default(false),
    hostServices: boolean("host_services").notNull().default(false),
  },
  (table) => [
    uniqueIndex("containers_name_key").on(sql`coalesce(${table.owner}, '')`, table.name),
    index("containers_owner_idx").on(table.owner),
    check("containers_id_form", sql`${table.id} ~ '^[0-9a-f]{64}$'`),
  ],
);

/**
 * A held host port. `span` is the lease as a range of one line of numbers — ((family, protocol, port), address) — so that one
 * exclusion constraint says what the kernel says: a wildcard excludes every address of its family, and nothing else overlaps.
 * The constraint is defined in the migration, because drizzle cannot express it.
 */
export const leases = pgTable(
  "leases",
  {
    containerId: text("container_id")
      .notNull()
      .references(() => containers.id, { onDelete: "cascade" }),
    protocol: text({ enum: ["tcp", "udp", "sctp"] }).notNull(),
    hostIp: text("host_ip").notNull(),
    hostPort: integer("host_port").notNull(),
    containerPort: integer("container_port").notNull(),
    /** Of this lease and those of its container that follow it without a gap, which have none: see `spansOf`. */
    span: numrange(),
    createdAt: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("leases_address_key").on(table.protocol, table.hostIp, table.hostPort),
    index("leases_container_idx").on(table.containerId),
    check("leases_host_port_range", sql`${table.hostPort} between 1 and 65535`),
    check("leases_container_port_range", sql`${table.containerPort} between 1 and 65535`),
  ],
);

/** Host ports that are kept for a user or a group of the directory; an empty `host_ip` stands for every address. */
export const portReservations = pgTable(
  "port_reservations",
  {
    id: text().primaryKey(),
    hostIp: text("host_ip").notNull(),
    firstPort: integer("first_port").notNull(),
    lastPort: integer("last_port").notNull(),
    protocol: text({ enum: ["tcp", "udp", "sctp"] }).notNull(),
    claimantKind: text("claimant_kind", { enum: ["user", "group", "place"] }).notNull(),
    claimantId: text("claimant_id").notNull(),
    claimantName: text("claimant_name").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull(),
  },
  (table) => [
    check(
      "port_reservations_range",
      sql`1 <= ${table.firstPort} and ${table.firstPort} <= ${table.lastPort} and ${table.lastPort} <= 65535`,
    ),
  ],
);

/** Shares of this host for one user each; `id` is the owner of what is in one. */
export const places = pgTable(
  "places",
  {
    id: text().primaryKey(),
    user: text("user_id").notNull(),
    name: text().notNull(),
    login: text().notNull(),
    memory: bigint({ mode: "number" }).notNull(),
    cpu: doublePrecision().notNull(),
    pids: integer().notNull(),
    ports: jsonb().$type<readonly PlacePorts[]>().notNull(),
    state: text({ enum: ["taken", "ready", "ending"] }).notNull(),
    since: timestamp({ withTimezone: true, mode: "string" }).notNull(),
    until: timestamp({ withTimezone: true, mode: "string" }),
    /** The fleet's number for the place; null for one of this host alone. */
    grant: bigint("fleet_grant", { mode: "number" }),
    /** The control group of its Pod; null where it has none. */
    podGroup: text("pod_group"),
  },
  (table) => [check("places_size", sql`${table.memory} > 0 and ${table.cpu} > 0 and ${table.pids} > 0`)],
);

export const networks = pgTable(
  "networks",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    owner: text(),
    version: version(),
    network: jsonb().notNull(),
  },
  (table) => [uniqueIndex("networks_name_key").on(sql`coalesce(${table.owner}, '')`, table.name)],
);

/** The namespace and addresses of a running container or of a build, so that a restart finds them. */
export const sandboxes = pgTable("sandboxes", {
  containerId: text("container_id").primaryKey(),
  path: text().notNull(),
  version: version(),
  endpoints: jsonb().notNull(),
  nameservers: jsonb(),
});

export const volumes = pgTable(
  "volumes",
  {
    folder: text().primaryKey(),
    name: text().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull(),
    version: version(),
    labels: jsonb().notNull(),
    options: jsonb().notNull(),
    anonymous: boolean().notNull(),
    owner: text(),
  },
  (table) => [uniqueIndex("volumes_name_key").on(sql`coalesce(${table.owner}, '')`, table.name)],
);

/** A build in progress, which a restart takes away. */
export const builds = pgTable("builds", {
  id: text().primaryKey(),
  owner: text(),
  createdAt: timestamp("created_at", { withTimezone: true, mode: "string" }).notNull(),
  /** The image that it is about to give, with its names. */
  result: jsonb(),
});

/** What was done on this engine and the directory has not been told yet, oldest first. */
export const actions = pgTable("actions", {
  position: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  id: uuid().notNull().unique(),
  action: jsonb().notNull(),
});
