import type { EffectiveConstraints } from "@berth/directory-domain";

/**
 * Who asks. An administrator sees and touches every container; a user its own, within its effective constraints.
 * `id` is the directory's user id; the administrators' socket speaks for no user and has none.
 */
export type Actor =
  | { readonly kind: "administrator"; readonly id: string | undefined; readonly login: string }
  | { readonly kind: "user"; readonly id: string; readonly login: string; readonly effective: EffectiveConstraints };
