import { parseLogin } from "@berth/directory-domain";
import type { Deps } from "../accounts/deps.ts";
import { SCOPES } from "../accounts/records.ts";
import { issueToken } from "../accounts/tokens.ts";
import { DirectoryError } from "../errors/directory-error.ts";

export interface Recovered {
  readonly login: string;
  readonly token: string;
}

/**
 * Makes the user with a login an active administrator, or creates it as one, and issues it a token. For a person who controls the
 * directory's host when no administrator has a way in any more; the caller proves that control.
 */
export async function recoverAdministrator(deps: Pick<Deps, "records">, text: string): Promise<Recovered> {
  const login = parseLogin(text);
  if (!login.ok) throw new DirectoryError("invalid", `The login ${login.error}.`);
  return deps.records.change(null, async (stores) => {
    const query = { login: login.value, sort: { by: "id", order: "ascending" } } as const;
    const [known] = await stores.users.page(query, { limit: 1 });
    const user =
      known === undefined
        ? await stores.users.create({
            login: login.value,
            email: null,
            name: "Recovered administrator",
            role: "admin",
            active: true,
            externalId: null,
            passHash: null,
          })
        : await stores.users.change(known.id, { role: "admin", active: true });
    const scopes = [...SCOPES];
    const issued = await issueToken(stores, {
      userId: user.id,
      label: "recovered on the host",
      scopes,
      expiresAt: null,
    });
    return { login: user.login, token: issued.token };
  });
}
