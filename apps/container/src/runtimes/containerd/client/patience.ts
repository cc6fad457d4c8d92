/**
 * How long containerd, a shim or runc may take where the usual limit is `usualMs`. One setting stretches or shortens all these limits
 * together, so that they keep their order. Limits on reading or writing whole layers are not among them: size decides there.
 */
export type Patience = (usualMs: number) => number;

export const USUAL_PATIENCE: Patience = (usualMs) => usualMs;

/** @param percent of the usual limits. */
export function patienceOf(percent: number): Patience {
  return (usualMs) => Math.max(1, Math.round((usualMs * percent) / 100));
}
