import { type EffectiveConstraints, effectiveConstraints } from "@berth/directory-domain";
import type { Deps } from "./deps.ts";
import { notFound } from "./directory-error.ts";

/** What holds for a user now, with the version that a cache may compare. */
export async function effectiveOf(
  deps: Deps,
  userId: number,
): Promise<{ readonly effective: EffectiveConstraints; readonly version: string }> {
  const found = await deps.records.policy.effective(userId);
  if (found === undefined) throw notFound("user", userId);
  const { version, ...owned } = found;
  return {
    version,
    effective: effectiveConstraints({ ...owned, baseline: deps.baseline, at: deps.now().toISOString() }),
  };
}
