/** Waits for both, so that a failure of one leaves no work of the other in progress. Throws the first one's failure before the second's. */
export async function bothDone(...work: readonly [Promise<unknown>, Promise<unknown>]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === "rejected") throw outcome.reason;
}
