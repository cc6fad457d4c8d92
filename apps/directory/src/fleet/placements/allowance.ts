import { decide, explain } from "@berth/directory-domain";
import { DirectoryError } from "../../errors/directory-error.ts";
import { amountsOf, requestOf } from "../amounts.ts";
import type { Fleet } from "../fleet.ts";
import type { Amount } from "../ledger.ts";
import type { PlaceWish } from "../place.ts";

/** What a user may have now: whose place it would be, and what it takes of which account. */
export interface Allowance {
  readonly login: string;
  readonly amounts: readonly Amount[];
}

/** @throws `forbidden` with the whole explanation where the user may not have the place; `conflict` for an administrator. */
export async function allowanceFor(
  { effectiveOf, ledger }: Pick<Fleet, "effectiveOf" | "ledger">,
  wish: PlaceWish,
): Promise<Allowance> {
  const { effective } = await effectiveOf(wish.userId);
  const { login, role } = effective.subject;
  if (role === "admin")
    throw new DirectoryError(
      "conflict",
      `${login} is an administrator, whom no place would limit; take the place for another user or a service account.`,
    );
  const amounts = amountsOf(wish, effective);
  const used = await ledger.used(amounts.map(({ account }) => account));
  const decision = decide(requestOf(wish, effective, used), effective);
  if (!decision.allowed) throw new DirectoryError("forbidden", explain(decision));
  return { login, amounts };
}

/** Why a user gets no second place of a name. */
export function nameTaken(login: string, { name }: Pick<PlaceWish, "name">): DirectoryError {
  return new DirectoryError("conflict", `User ${login} has a place ${name} already.`);
}
