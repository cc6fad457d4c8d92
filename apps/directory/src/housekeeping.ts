import type { Records } from "./accounts/stores.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Removes what nobody needs any more: old audit entries by policy, kept answers and failed sign-ins after a day. */
export async function keepHouse(
  records: Records,
  options: { readonly auditDays: number; readonly now: Date },
): Promise<void> {
  const before = (days: number) => new Date(options.now.getTime() - days * DAY_MS).toISOString();
  await records.change(null, async (stores) => {
    await stores.audit.prune(before(options.auditDays));
    await stores.idempotency.prune(before(1));
    await stores.failures.prune(before(1));
  });
}

/** Keeps house now and every hour until stopped. */
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
