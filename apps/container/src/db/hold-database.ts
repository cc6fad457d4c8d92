import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, databaseFault, whenAvailable } from "@berth/service-kit";

/** Of a holder whose machine is gone without a word Postgres knows after half a minute, instead of hours. */
const KEEPALIVE = { tcp_keepalives_idle: 15, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };

/** Any number will do, as long as no other use of advisory locks in this database has it. */
const CONTAINER_SERVICE_LOCK = 7_780_002;

/** Postgres may not have noticed yet that the last holder is dead. */
const PATIENCE_MS = 2_000;
const RETRY_MS = 250;

/** SQLSTATE of `lock_timeout`. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Takes the Postgres database at `url` for this container service alone, for as long as the process lives: an advisory lock of a
 * session of its own, which Postgres lets go when its connection ends, however it ends. Throws where another service has it, and
 * names that one.
 * @param lost called at most once, if the connection was lost and another service took the lock first.
 */
export async function holdDatabase(
  url: string,
  lost: (fault: Error) => void,
): Promise<{ readonly release: () => Promise<void> }> {
  let isHeld = false;
  // Short enough for Postgres to keep it whole, in 63 bytes.
  const name = `berth-container ${randomBytes(4).toString("hex")}, process ${process.pid} on ${hostname().slice(0, 16)}`;
  const sql = createClient(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connection: { application_name: name, lock_timeout: PATIENCE_MS, ...KEEPALIVE },
    onclose: () => {
      if (isHeld) void regain();
    },
  });

  const take = async (): Promise<void> => {
    try {
      await sql`select pg_advisory_lock(${CONTAINER_SERVICE_LOCK})`;
    } catch (thrown) {
      if (databaseFault(thrown)?.code !== LOCK_NOT_AVAILABLE) throw thrown;
      throw new InUse(await holder());
    }
  };

  const holder = async (): Promise<string> => {
    const [row] = await sql`
      select application_name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and objid = ${CONTAINER_SERVICE_LOCK}
        and pg_locks.database = (select oid from pg_database where datname = current_database())`;
    return String(row?.application_name ?? "one that has just ended");
  };

  const regain = async (): Promise<void> => {
    isHeld = false;
    for (;;) {
      try {
        // Where only our side of the connection is gone, our old session has the lock.
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = ${name} and pid <> pg_backend_pid()`;
        await take();
        isHeld = true;
        return;
      } catch (thrown) {
        if (isReleased) return;
        if (thrown instanceof InUse) {
          await release();
          return lost(thrown);
        }
        // Postgres is away, and with it every row that could be written.
        await delay(RETRY_MS);
      }
    }
  };

  let isReleased = false;
  const release = async (): Promise<void> => {
    isReleased = true;
    isHeld = false;
    await sql.end({ timeout: 1 });
  };
  try {
    await whenAvailable(url, take);
    isHeld = true;
  } catch (thrown) {
    await release();
    throw thrown;
  }
  return { release };
}

class InUse extends Error {
  override readonly name = "InUse";
  constructor(holder: string) {
    super(`the database is in use by another container service (${holder}): each needs a database of its own`);
  }
}
