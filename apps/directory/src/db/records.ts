import { sql } from "drizzle-orm";
import type { Records, Stores } from "../accounts/stores.ts";
import { auditStore } from "./audit-store.ts";
import { constraintStore } from "./constraint-store.ts";
import type { Database } from "./database.ts";
import { readDatabaseError } from "./database-error.ts";
import { failureStore } from "./failure-store.ts";
import { groupStore } from "./group-store.ts";
import { hostStore } from "./host-store.ts";
import { idempotencyStore } from "./idempotency-store.ts";
import { invitationStore } from "./invitation-store.ts";
import { membershipStore } from "./membership-store.ts";
import { policyReader } from "./policy-reader.ts";
import { deviceLoginStore, identityStore, secondFactorStore } from "./sign-in-stores.ts";
import { subgroupStore } from "./subgroup-store.ts";
import { tokenStore } from "./token-store.ts";
import { transferStore } from "./transfer-store.ts";
import { userStore } from "./user-store.ts";

/** The directory's records in an open database. */
export function recordsIn(db: Database): Records {
  return {
    ...storesIn(db),
    async change(actor, work) {
      try {
        return await db.transaction(async (tx) => {
          await tx.execute(sql`select set_config('berth.actor', ${actor === null ? "" : String(actor)}, true)`);
          return work(storesIn(tx));
        });
      } catch (thrown) {
        throw readDatabaseError(thrown);
      }
    },
    snapshot: (work) =>
      db.transaction((tx) => work(storesIn(tx)), { isolationLevel: "repeatable read", accessMode: "read only" }),
    async setting(name) {
      const [row] = await db.execute<{ value: string }>(sql`select value from directory.settings where name = ${name}`);
      if (row === undefined) throw new Error(`setting ${name} is missing from the database`);
      return row.value;
    },
    async ping() {
      await db.execute(sql`select 1`);
    },
  };
}

function storesIn(db: Database): Stores {
  return {
    users: userStore(db),
    groups: groupStore(db),
    memberships: membershipStore(db),
    subgroups: subgroupStore(db),
    invitations: invitationStore(db),
    constraints: constraintStore(db),
    policy: policyReader(db),
    tokens: tokenStore(db),
    failures: failureStore(db),
    audit: auditStore(db),
    hosts: hostStore(db),
    transfer: transferStore(db),
    idempotency: idempotencyStore(db),
    identities: identityStore(db),
    deviceLogins: deviceLoginStore(db),
    secondFactors: secondFactorStore(db),
  };
}
