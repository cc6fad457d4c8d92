import { DirectoryError } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import type { Actor } from "./records.ts";
import type { ImportedUser } from "./stores.ts";

/**
 * Makes all users of an import or none, a batch at a time, in one transaction and with one entry in the audit. The first
 * login or e-mail that is taken, be it by a user that was there or by an earlier line, ends it and is named by its line.
 * @param onProgress told how many are written so far, after each batch.
 */
export async function importUsers(
  deps: Deps,
  actor: Actor,
  batches: AsyncIterable<readonly ImportedUser[]>,
  onProgress: (written: number) => void,
): Promise<number> {
  return deps.records.change(actor.userId, async (stores) => {
    let written = 0;
    for await (const batch of batches) {
      const taken = await stores.users.createMany(batch);
      const [first] = taken;
      if (first !== undefined) throw takenLine(first);
      written += batch.length;
      onProgress(written);
    }
    await stores.audit.note("user.import", "users", { count: written });
    return written;
  });
}

function takenLine({ line, login, email }: ImportedUser): DirectoryError {
  return new DirectoryError("conflict", `Line ${line}: the login ${login} or the e-mail ${email} is taken.`, {
    errors: [{ pointer: `/${line}`, detail: "has a login or an e-mail that is taken" }],
  });
}
