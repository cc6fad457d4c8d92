import type { EffectiveConstraints } from "@berth/directory-domain";

/**
 * The sender of a request. An administrator sees and changes every container; a user only its own, within its effective constraints.
 * `id` is the directory's user id, or that of a place (see `owners.ts`); the administrators' socket belongs to no user and has none.
 */
export type Actor =
  | { readonly kind: "administrator"; readonly id: string | undefined; readonly login: string }
  | {
      readonly kind: "user";
      readonly id: string;
      readonly login: string;
      readonly effective: EffectiveConstraints;
      /** The place that it acts in; `id` is then that place's, as the owner of what it makes. */
      readonly place?: { readonly name: string; readonly memory: number; readonly cpu: number };
      /** Asks which of some owners a shared quota binds too; left out where nobody can be asked. */
      readonly sharersOf?: SharersOf;
    };

/** The actor on the administrators' socket, and of the service's own actions. */
export const HOST_ADMINISTRATOR = { kind: "administrator", id: undefined, login: "root" } as const satisfies Actor;

/** @returns those of the owners that the constraint binds. Throws `unavailable` if the directory does not answer. */
export type SharersOf = (constraint: number, owners: readonly string[]) => Promise<ReadonlySet<string>>;
