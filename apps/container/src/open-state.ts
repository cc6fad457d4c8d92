import { mkdir } from "node:fs/promises";
import type { Opened } from "@berth/service-kit";
import type { pino } from "pino";
import type { Config } from "./config.ts";
import { holdState } from "./db/hold-state.ts";
import { markInstance } from "./host/instance-mark.ts";
import { openStateFolders } from "./host/state-folders.ts";

/** Holds the state's folders, which belong to one service at a time. */
export async function openState(config: Config, log: pino.Logger, opened: Opened): Promise<void> {
  await openStateFolders(config.stateDir);
  await mkdir(config.runDir, { recursive: true, mode: 0o755 });
  const takenOver = (fault: unknown) => {
    log.fatal({ err: fault }, "another container service has taken the state over; containers go on");
    process.exit(1);
  };
  opened.keep(await holdState(config, takenOver), (state) => state.release());
  await markInstance(config.stateDir, config.instance);
}
