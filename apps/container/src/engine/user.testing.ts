import {
  BASELINES,
  type Constraint,
  type ConstraintId,
  effectiveConstraints,
  type GroupId,
  type UserId,
} from "@berth/directory-domain";
import type { Actor } from "./actor.ts";

const GROUP = { id: 3 as GroupId, name: "web" };

/** A user with the safe baseline plus the constraints of its group, which is group 3. */
export function user(id: number, ...constraints: readonly Constraint[]): Actor & { readonly kind: "user" } {
  const login = `user-${id}`;
  return {
    kind: "user",
    id: String(id),
    login,
    effective: effectiveConstraints({
      subject: { id: id as UserId, login, role: "user", active: true },
      constraints: constraints.map((one, index) => ({
        ...one,
        id: (index + 1) as ConstraintId,
        owner: { type: "group", id: GROUP.id },
        expiresAt: null,
      })),
      groups: [GROUP],
      baseline: BASELINES.safe,
      at: "2026-01-01T00:00:00.000Z",
    }),
  };
}
