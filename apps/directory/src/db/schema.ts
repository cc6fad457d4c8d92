import type { OwnFields } from "@berth/directory-domain";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { HostReport } from "../accounts/host-records.ts";
import { type OtherEmail, OUTCOMES } from "../accounts/records.ts";

/** A separate schema, so that the directory can share a database. */
export const directory = pgSchema("directory");

/** Names of indexes and constraints by which `database-error.ts` recognises errors. */
export const LOGIN_TAKEN = "users_login_key";
export const EMAIL_TAKEN = "users_email_key";
export const GROUP_NAME_TAKEN = "groups_name_key";
export const LAST_ADMINISTRATOR = "users_last_administrator";
export const SERVICE_WITHOUT_PASS = "users_service_without_pass";
export const SUBGROUP_CYCLE = "subgroups_cycle";
export const SUBGROUP_DEPTH = "subgroups_depth";

// Byte order, so that keyset pages and prefix searches can use the unique index under any server locale.
const key = customType<{ data: string }>({ dataType: () => 'text collate "C"' });
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });
export function instant(name: string) {
  return timestamp(name, { withTimezone: true, mode: "date", precision: 3 });
}
function id() {
  return bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
}
function ownFields() {
  return jsonb("fields").$type<OwnFields>().notNull().default({});
}
function stamps() {
  return {
    version: integer("version").notNull().default(1),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  };
}

/** A further address of a user; `key` is its folded form, which filters compare. */
export type OtherEmailRow = OtherEmail & { readonly key: string };

export const users = directory.table(
  "users",
  {
    id: id(),
    login: text("login").notNull(),
    loginKey: key("login_key").notNull(),
    email: text("email"),
    /** Empty for a user without e-mail: a null would stand outside of keyset pages. */
    emailKey: key("email_key").notNull(),
    /** What identity providers call the primary address's type, such as `work`. */
    emailType: text("email_type").notNull().default("work"),
    /** Further addresses; nobody signs in with them, so that several users may have one. */
    otherEmails: jsonb("other_emails").$type<readonly OtherEmailRow[]>().notNull().default([]),
    name: text("name"),
    givenName: text("given_name"),
    familyName: text("family_name"),
    formattedName: text("formatted_name"),
    /** PHC string; null for a user that authenticates with tokens only. */
    passHash: text("pass_hash"),
    role: text("role", { enum: ["user", "operator", "admin"] })
      .notNull()
      .default("user"),
    active: boolean("active").notNull().default(true),
    /** Incremented when a decision about this user may change; `policy.epoch` does the same for groups. */
    policyVersion: bigint("policy_version", { mode: "number" }).notNull().default(1),
    externalId: text("external_id"),
    kind: text("kind", { enum: ["person", "service"] })
      .notNull()
      .default("person"),
    fields: ownFields(),
    ...stamps(),
  },
  (t) => [
    uniqueIndex(LOGIN_TAKEN).on(t.loginKey),
    uniqueIndex(EMAIL_TAKEN).on(t.emailKey).where(sql`email_key <> ''`),
    index("users_by_email").on(t.emailKey, t.id),
    index("users_by_other_email").using("gin", t.otherEmails.op("jsonb_path_ops")),
    index("users_by_external_id").on(t.externalId).where(sql`external_id is not null`),
    index("users_created").on(t.createdAt, t.id),
    index("users_administrators").on(t.id).where(sql`role = 'admin' and active`),
    check("users_role", sql`${t.role} in ('user', 'operator', 'admin')`),
    check("users_login", sql`char_length(${t.login}) between 1 and 256 and ${t.login} !~ '[[:cntrl:]]'`),
    check("users_email", sql`octet_length(${t.email}) between 3 and 254`),
    check("users_kind", sql`${t.kind} in ('person', 'service')`),
    check(SERVICE_WITHOUT_PASS, sql`${t.kind} <> 'service' or ${t.passHash} is null`),
    check("users_email_has_key", sql`(${t.email} is null) = (${t.emailKey} = '')`),
  ],
);

export const groups = directory.table(
  "groups",
  {
    id: id(),
    name: text("name").notNull(),
    nameKey: key("name_key").notNull(),
    externalId: text("external_id"),
    fields: ownFields(),
    ...stamps(),
  },
  (t) => [
    uniqueIndex(GROUP_NAME_TAKEN).on(t.nameKey),
    check("groups_name", sql`char_length(${t.name}) between 1 and 256 and ${t.name} !~ '[[:cntrl:]]'`),
  ],
);

export function userRef() {
  return bigint("user_id", { mode: "number" }).references(() => users.id, { onDelete: "cascade" });
}
export function groupRef() {
  return bigint("group_id", { mode: "number" }).references(() => groups.id, { onDelete: "cascade" });
}

export const memberships = directory.table(
  "memberships",
  {
    userId: userRef().notNull(),
    groupId: groupRef().notNull(),
    role: text("role", { enum: ["member", "manager"] })
      .notNull()
      .default("member"),
  },
  (t) => [
    primaryKey({ name: "memberships_pk", columns: [t.userId, t.groupId] }),
    index("memberships_by_group").on(t.groupId, t.userId),
    check("memberships_role", sql`${t.role} in ('member', 'manager')`),
  ],
);

/** Groups within groups: members of a subgroup are bound by the group's constraints too. A trigger refuses cycles. */
export const subgroups = directory.table(
  "subgroups",
  {
    groupId: groupRef().notNull(),
    subgroupId: bigint("subgroup_id", { mode: "number" })
      .references(() => groups.id, { onDelete: "cascade" })
      .notNull(),
  },
  (t) => [
    primaryKey({ name: "subgroups_pk", columns: [t.groupId, t.subgroupId] }),
    index("subgroups_by_subgroup").on(t.subgroupId, t.groupId),
  ],
);

/** Memberships that a manager offered and the user has not accepted; they have no effect on decisions. */
export const invitations = directory.table(
  "invitations",
  {
    userId: userRef().notNull(),
    groupId: groupRef().notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "invitations_pk", columns: [t.userId, t.groupId] }),
    index("invitations_by_group").on(t.groupId),
  ],
);

export const constraints = directory.table(
  "constraints",
  {
    id: id(),
    userId: userRef(),
    groupId: groupRef(),
    effect: text("effect").notNull(),
    kind: text("kind").notNull(),
    /** The kind's own fields, as `parseConstraint` returns them. */
    value: jsonb("value").notNull(),
    note: text("note"),
    expiresAt: instant("expires_at"),
    ...stamps(),
  },
  (t) => [
    index("constraints_by_user").on(t.userId, t.id).where(sql`user_id is not null`),
    index("constraints_by_group").on(t.groupId, t.id).where(sql`group_id is not null`),
    check("constraints_one_owner", sql`num_nonnulls(${t.userId}, ${t.groupId}) = 1`),
    check("constraints_effect", sql`${t.effect} in ('limit', 'deny', 'grant')`),
  ],
);

export const tokens = directory.table(
  "tokens",
  {
    id: id(),
    userId: userRef().notNull(),
    /** Hash of the whole token, which is shown once and never stored. */
    sha256: bytea("sha256").notNull(),
    label: text("label").notNull(),
    scopes: text("scopes").array().notNull(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [uniqueIndex("tokens_sha256").on(t.sha256), index("tokens_by_user").on(t.userId, t.id)],
);

/**
 * One namespace for logins and e-mails, in their folded form: neither may be another user's login or e-mail. Triggers keep
 * it; the primary key decides between concurrent changes.
 */
export const userNames = directory.table(
  "user_names",
  { key: key("key").primaryKey(), userId: userRef().notNull() },
  (t) => [index("user_names_by_user").on(t.userId)],
);

/** Failed sign-ins by account and address; stored so that a restart does not reset them. */
export const signInFailures = directory.table("sign_in_failures", {
  key: text("key").primaryKey(),
  failures: integer("failures").notNull(),
  blockedUntil: instant("blocked_until").notNull(),
  /** When this account last signed in from this address. */
  succeededAt: instant("succeeded_at"),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/** Whom an entry's record belongs to: the user of a constraint, a membership or a token, the owner of what an engine acted on. */
export const CONCERNED = sql`(coalesce(after ->> 'user_id', before ->> 'user_id', after ->> 'ownerId'))`;

/** Written by triggers and `note`; triggers of the migration make it append-only. */
export const audit = directory.table(
  "audit",
  {
    id: id(),
    at: instant("at").notNull().defaultNow(),
    actor: bigint("actor", { mode: "number" }),
    action: text("action").notNull(),
    target: text("target").notNull(),
    before: jsonb("before"),
    after: jsonb("after"),
    outcome: text("outcome", { enum: OUTCOMES }).notNull().default("done"),
    bypass: boolean("bypass").notNull().default(false),
    /** What a container service calls an entry that it reported. */
    reportId: uuid("report_id"),
  },
  (t) => [
    index("audit_by_time").on(t.at, t.id),
    index("audit_by_target").on(t.target, t.at, t.id),
    index("audit_by_actor").on(t.actor, t.at, t.id),
    index("audit_by_concerned").on(CONCERNED, t.at, t.id),
    index("audit_by_outcome").on(t.outcome, t.at, t.id).where(sql`outcome <> 'done'`),
    index("audit_by_bypass").on(t.at, t.id).where(sql`bypass`),
    uniqueIndex("audit_report_id").on(t.reportId).where(sql`report_id is not null`),
    check("audit_outcome", sql`${t.outcome} in ('done', 'refused', 'failed')`),
  ],
);

/** Answers to creates with an `Idempotency-Key`, returned again to a repeat. */
export const idempotencyKeys = directory.table(
  "idempotency_keys",
  {
    actor: bigint("caller", { mode: "number" }).notNull(),
    key: text("key").notNull(),
    requestHash: text("request_hash").notNull(),
    answer: jsonb("answer"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "idempotency_keys_pk", columns: [t.actor, t.key] }),
    index("idempotency_keys_created").on(t.createdAt),
  ],
);

/** One row: `epoch` is incremented by every change to a group that may change a decision. */
export const policy = directory.table(
  "policy",
  { only: boolean("only").primaryKey().default(true), epoch: bigint("epoch", { mode: "number" }).notNull().default(1) },
  (t) => [check("policy_one_row", sql`${t.only}`)],
);

/** What each host's container service last reported. */
export const hosts = directory.table("hosts", {
  name: text("name").primaryKey(),
  report: jsonb("report").$type<HostReport>().notNull(),
  reportedAt: instant("reported_at").notNull(),
});

/** Values that the directory generates once and keeps, such as the key that signs cursors. */
export const settings = directory.table("settings", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});
