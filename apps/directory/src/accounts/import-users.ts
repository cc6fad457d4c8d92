import { DirectoryError } from "../errors/directory-error.ts";
import type { Deps } from "./deps.ts";
import type { Actor } from "./records.ts";
import type { ImportedUser } from "./stores.ts";

/**
 * Creates all users of an import, or none, in one transaction with one audit entry.
 * @param onProgress called after each batch with the number of users written so far.
 * @throws `conflict` with the line of the first login or e-mail that is taken, by an existing user or an earlier line.
 */
export async function importUsers(
  deps: Deps,
  actor: Actor,
  batches: AsyncIterable<readonly ImportedUser[]>,
  onProgress: (written: number) => void,
): Promise<number> {
  return deps.records.change(actor.userId, async (stores) => {
    let written = 0;
    await stores.transfer.inBulk(async () => {
      for await (const batch of batches) {
        const [first] = await stores.users.createMany(batch);
        if (first !== undefined) throw takenLine(first);
        written += batch.length;
        onProgress(written);
      }
    });
    await stores.audit.note("user.import", "users", { count: written });
    return written;
  });
}

function takenLine({ line, login, email }: ImportedUser): DirectoryError {
  return new DirectoryError("conflict", `Line ${line}: the login ${login} or the e-mail ${email} is taken.`, {
    errors: [{ pointer: `/${line}`, detail: "has a login or an e-mail that is taken" }],
  });
}
