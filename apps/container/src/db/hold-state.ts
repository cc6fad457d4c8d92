import { join } from "node:path";
import { holdFolder } from "@berth/service-kit";
import { holdDatabase } from "./hold-database.ts";

/**
 * Takes the state for this container service alone: its folder and its database. Two services on one
 * state would each act on what it has in memory. Throws if another service has it, and then changes nothing.
 * @param lost called where Postgres came back after a loss and another service was quicker.
 */
export async function holdState(
  { stateDir, databaseUrl }: { readonly stateDir: string; readonly databaseUrl: string },
  lost: (fault: Error) => void,
): Promise<{ readonly release: () => Promise<void> }> {
  const folder = await holdFolder(join(stateDir, "container"), "a container service");
  try {
    const database = await holdDatabase(databaseUrl, lost);
    return {
      release: async () => {
        await database.release();
        await folder.release();
      },
    };
  } catch (thrown) {
    await folder.release();
    throw thrown;
  }
}
