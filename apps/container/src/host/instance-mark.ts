import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "./whole-file.ts";

/**
 * Marks the state folder as this instance's. Throws where it is another's: its containers, networks and rules carry that name, and none
 * of them would be found.
 */
export async function markInstance(stateDir: string, instance: string): Promise<void> {
  const path = join(stateDir, "container", "instance");
  const marked = (await readFile(path, "utf8").catch(() => "")).trim();
  if (marked === instance) return;
  if (marked !== "")
    throw new Error(
      `BERTH_INSTANCE: ${stateDir} belongs to the instance ${marked}, and this is ${instance}; set BERTH_INSTANCE=${marked}, or BERTH_STATE to another folder`,
    );
  await writeWhole(path, `${instance}\n`);
}
