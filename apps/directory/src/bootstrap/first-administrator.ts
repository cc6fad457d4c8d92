import type { Deps } from "../accounts/deps.ts";
import { SCOPES } from "../accounts/records.ts";
import { issueToken } from "../accounts/tokens.ts";
import { DirectoryError } from "../errors/directory-error.ts";

/**
 * Creates the first administrator of an empty directory, with a token and no password.
 * @param keep stores the token for the operator before the transaction commits: a crash in between leaves a token that
 * is not valid, never an administrator without a token.
 * @returns the token, or undefined when the directory already has users.
 */
export async function createFirstAdministrator(
  deps: Pick<Deps, "records">,
  keep: (token: string) => Promise<void>,
): Promise<string | undefined> {
  try {
    return await create(deps, keep);
  } catch (thrown) {
    // Another service that started on the same database at the same time created it first.
    if (thrown instanceof DirectoryError && thrown.kind === "conflict") return undefined;
    throw thrown;
  }
}

function create(deps: Pick<Deps, "records">, keep: (token: string) => Promise<void>): Promise<string | undefined> {
  return deps.records.change(null, async (stores) => {
    const query = { sort: { by: "id", order: "ascending" } } as const;
    if ((await stores.users.page(query, { limit: 1 })).length > 0) return undefined;
    const user = await stores.users.create({
      login: "admin",
      email: "admin@localhost",
      name: "First administrator",
      role: "admin",
      active: true,
      externalId: null,
      passHash: null,
    });
    const issued = await issueToken(stores, {
      userId: user.id,
      label: "first administrator",
      scopes: [...SCOPES],
      expiresAt: null,
    });
    await keep(issued.token);
    return issued.token;
  });
}
