import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "./whole-file.ts";

/** The engine's identity, the same over restarts. */
export async function engineId(stateDir: string): Promise<string> {
  const path = join(stateDir, "engine-id");
  const known = await readFile(path, "utf8").catch(() => undefined);
  if (known !== undefined) return known.trim();
  const id = randomUUID();
  await writeWhole(path, `${id}\n`, { mode: 0o644 });
  return id;
}
