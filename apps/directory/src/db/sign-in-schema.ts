import { bigint, boolean, index, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytea, directory, groupRef, instant, userRef } from "./schema.ts";

/** Which person of a provider of OpenID Connect is which user. A user is one person of a provider at most. */
export const identities = directory.table(
  "identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: userRef().notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "identities_pk", columns: [t.issuer, t.subject] }),
    uniqueIndex("identities_by_user").on(t.userId, t.issuer),
  ],
);

/** Memberships that a provider gave and takes away again. */
export const identityGroups = directory.table(
  "identity_groups",
  { userId: userRef().notNull(), groupId: groupRef().notNull() },
  (t) => [
    primaryKey({ name: "identity_groups_pk", columns: [t.userId, t.groupId] }),
    index("identity_groups_by_group").on(t.groupId),
  ],
);

/** Commands that wait until their users approve that they sign in. */
export const deviceLogins = directory.table(
  "device_logins",
  {
    /** Hash of the code that the command alone has. */
    sha256: bytea("sha256").primaryKey(),
    /** The code that the user types. */
    userCode: text("user_code").notNull(),
    label: text("label").notNull(),
    address: text("address").notNull(),
    /** Who approved. */
    userId: userRef(),
    declined: boolean("declined").notNull().default(false),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("device_logins_user_code").on(t.userCode),
    index("device_logins_by_user").on(t.userId),
    index("device_logins_by_end").on(t.expiresAt),
  ],
);

/** What people prove a sign-in with beside a password: one authenticator for each user. */
export const secondFactors = directory.table("second_factors", {
  userId: userRef().primaryKey(),
  /** Sealed with a key that is not in this table. */
  secret: text("secret").notNull(),
  createdAt: instant("created_at").notNull(),
  /** When its user proved to have it; before that it counts for nothing. */
  confirmedAt: instant("confirmed_at"),
  /** The time step of the last code that was taken: neither that code nor an older one counts again. */
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
});

/** Codes that stand in for a second factor, once each. */
export const recoveryCodes = directory.table(
  "recovery_codes",
  { userId: userRef().notNull(), sha256: bytea("sha256").notNull() },
  (t) => [primaryKey({ name: "recovery_codes_pk", columns: [t.userId, t.sha256] })],
);
