import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { NATIVE_DIR } from "../../host/native-dir.ts";

const RESTART_MS = 10_000;

/** Calls `changed` whenever another table than `table` gets or loses a rule or a chain, and when changes may have been missed. */
export function watchRules(table: string, changed: () => void): { close(): void } {
  let stop = () => {};
  let isClosed = false;
  const begin = () => {
    const monitor = spawn(join(NATIVE_DIR, "rule-changes"), { stdio: ["ignore", "pipe", "ignore"] });
    createInterface(monitor.stdout).on("line", (changedTable) => {
      if (changedTable !== table) changed();
    });
    monitor.on("error", () => undefined);
    monitor.once("close", () => {
      if (isClosed) return;
      const timer = setTimeout(begin, RESTART_MS).unref();
      stop = () => clearTimeout(timer);
      changed();
    });
    stop = () => monitor.kill("SIGKILL");
  };
  begin();
  return {
    close: () => {
      isClosed = true;
      stop();
    },
  };
}
