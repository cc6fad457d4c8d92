import { createHash } from "node:crypto";
import { DirectoryError } from "../errors/directory-error.ts";
import type { Stores } from "./stores.ts";

/** An `Idempotency-Key` and the request it was sent with. */
export interface Idempotency {
  readonly actor: number;
  readonly key: string;
  readonly request: string;
}

/**
 * Runs `work` once per key. A repeat of the same request returns the first answer. The answer is stored in the transaction
 * of the work, so a crash keeps both or neither.
 * @throws `invalid` when the key was used with another request.
 */
export async function idempotent<T>(
  stores: Stores,
  idempotency: Idempotency | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (idempotency === undefined) return work();
  const { actor, key } = idempotency;
  const requestHash = createHash("sha256").update(idempotency.request).digest("base64url");
  const claim = await stores.idempotency.claim(actor, key, requestHash);
  if (claim !== "claimed") {
    if (claim.requestHash !== requestHash)
      throw new DirectoryError("invalid", "This Idempotency-Key was used with another request.", {
        errors: [{ parameter: "Idempotency-Key", detail: "was used with another request" }],
      });
    return claim.answer as T;
  }
  const answer = await work();
  await stores.idempotency.keep(actor, key, answer);
  return answer;
}
