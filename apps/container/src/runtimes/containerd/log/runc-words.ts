import { open } from "node:fs/promises";
import { unlessMissing } from "../../../host/exists.ts";

/** What runc's own process writes to the container's standard error where nobody starts it: it has run no program yet. */
const NOT_STARTED = /"log":"[^"]*exec fifo/;

/**
 * Takes what runc itself wrote out of a container's log: nothing that its program said. Records of a program stay.
 *
 * @param path the log, which nobody writes to any more
 * @param from its size in bytes before the start that failed
 */
export async function dropRuncWords(path: string, from: number): Promise<void> {
  const file = await open(path, "r+").catch(unlessMissing);
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    if (size <= from) return;
    const { buffer } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    const records = buffer.toString().trimEnd().split("\n");
    if (records.every((record) => NOT_STARTED.test(record))) await file.truncate(from);
  } finally {
    await file.close();
  }
}
