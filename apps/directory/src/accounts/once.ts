import { createHash } from "node:crypto";
import { DirectoryError } from "./directory-error.ts";
import type { Stores } from "./stores.ts";

/** An `Idempotency-Key` with what it was sent for. */
export interface Idempotency {
  readonly caller: number;
  readonly key: string;
  readonly request: string;
}

/**
 * Does `work` once per key: a repeat of the same request gets the first answer, in the same transaction as the work, so
 * that a crash leaves both or neither. The same key for another request is refused.
 */
export async function once<T>(
  stores: Stores,
  idempotency: Idempotency | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (idempotency === undefined) return work();
  const { caller, key } = idempotency;
  const requestHash = createHash("sha256").update(idempotency.request).digest("base64url");
  const claim = await stores.idempotency.claim(caller, key, requestHash);
  if (claim !== "claimed") {
    if (claim.requestHash !== requestHash)
      throw new DirectoryError("invalid", "This Idempotency-Key was used for another request.", {
        errors: [{ parameter: "Idempotency-Key", detail: "belongs to another request" }],
      });
    return claim.answer as T;
  }
  const answer = await work();
  await stores.idempotency.keep(caller, key, answer);
  return answer;
}
