import type { Records } from "./accounts/stores.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long a host that no longer reports is remembered. */
const HOST_DAYS = 30;

/**
 * Deletes audit entries older than `auditDays`, idempotency keys and failed sign-ins older than a day, hosts that are gone, and
 * commands that nobody signed in. */
export async function pruneExpired(
  records: Records,
  options: { readonly auditDays: number; readonly now: Date },
): Promise<void> {
  const before = (days: number) => new Date(options.now.getTime() - days * DAY_MS).toISOString();
  await records.change(null, async (stores) => {
    await stores.audit.prune(before(options.auditDays));
    await stores.idempotency.prune(before(1));
    await stores.hosts.prune(before(HOST_DAYS));
    await stores.failures.prune(before(1));
    await stores.deviceLogins.prune(before(0));
  });
}

/** Runs `work` now and every hour until stopped; `stop` waits for a run in progress. */
export function startHousekeeping(work: () => Promise<void>): { stop(): Promise<void> } {
  let running = work();
  const timer = setInterval(() => {
    running = running.then(work);
  }, HOUR_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
