import { parseLogin } from "@berth/directory-domain";
import type { Deps } from "../accounts/deps.ts";
import { REPORT_SCOPE, type UserRecord } from "../accounts/records.ts";
import type { Stores } from "../accounts/stores.ts";
import { tokenHash } from "../accounts/token-text.ts";
import { hasExpired, issueToken, MAX_TOKENS_OF_USER } from "../accounts/tokens.ts";

/** The service account that the container service on this host asks as: an operator, which reads, reports to the audit and changes nothing. */
export const SERVICE_LOGIN = "container-service";
const SERVICE_SCOPES = ["read", REPORT_SCOPE] as const;

/** What became of the token. */
export type ServiceTokenOutcome = "kept" | "issued" | { readonly refused: string };

interface ServiceToken {
  /** The token that the file holds; undefined if there is none. */
  readonly held: string | undefined;
  /** Names the host and its state: a new token replaces the earlier ones with this label. */
  readonly label: string;
  /** Stores the token where the container service reads it, before the transaction commits. */
  readonly keep: (token: string) => Promise<void>;
}

/**
 * Sees to it that the container service on this host has a token to ask the directory with: issues one if the held one opens nothing, and
 * creates the account for it if there is none. An account that an administrator disabled or gave another role stays as it is.
 */
export async function ensureServiceToken(
  { records, now }: Pick<Deps, "records" | "now">,
  { held, label, keep }: ServiceToken,
): Promise<ServiceTokenOutcome> {
  const sha256 = held === undefined ? undefined : tokenHash(held);
  const found = sha256 && (await records.tokens.findBySha256(sha256));
  const opens = found?.user.active && !hasExpired(found.token.expiresAt, now());
  if (opens && SERVICE_SCOPES.every((scope) => found.token.scopes.includes(scope))) return "kept";
  return records.change(null, async (stores) => {
    const account = await findOrCreate(stores);
    if (!account.active) return { refused: `the user ${SERVICE_LOGIN} is disabled` };
    if (account.role !== "operator") return { refused: `the user ${SERVICE_LOGIN} has the role ${account.role}` };
    for (const earlier of await stores.tokens.ofUser(account.id, { limit: MAX_TOKENS_OF_USER }))
      if (earlier.label === label) await stores.tokens.remove(earlier.id);
    const { token } = await issueToken(stores, { userId: account.id, label, scopes: SERVICE_SCOPES, expiresAt: null });
    await keep(token);
    return "issued";
  });
}

async function findOrCreate({ users }: Stores): Promise<UserRecord> {
  const login = parseLogin(SERVICE_LOGIN);
  if (!login.ok) throw new Error(login.error);
  const query = { login: login.value, sort: { by: "id", order: "ascending" } } as const;
  const [known] = await users.page(query, { limit: 1 });
  return (
    known ??
    (await users.create({
      login: login.value,
      email: null,
      name: "Container service",
      kind: "service",
      role: "operator",
      active: true,
      externalId: null,
      passHash: null,
    }))
  );
}
