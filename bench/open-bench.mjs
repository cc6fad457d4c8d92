import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onInterrupt } from "./processes.mjs";
import { removeFolder } from "./start/engines.mjs";

/**
 * A bench: its folder, and `atEnd` for what ends each thing that it starts. `stop` does so once, the last first, and takes the folder away;
 * so does an interrupt.
 */
export function openBench() {
  const folder = mkdtempSync(join(tmpdir(), "berth-bench-"));
  // Postgres' own user has to get through.
  chmodSync(folder, 0o711);
  const ends = [];
  let stopped;
  const stop = () => {
    stopped ??= (async () => {
      for (const end of ends.reverse()) {
        try {
          await end();
        } catch (thrown) {
          console.error(thrown.message);
        }
      }
      removeFolder(folder);
    })();
    return stopped;
  };
  onInterrupt(stop);
  return { folder, atEnd: (end) => ends.push(end), stop };
}
