import { fileURLToPath } from "node:url";
import type * as kit from "@berth/service-kit";
import type { Signal } from "../fleet/signals.ts";
import type * as schema from "./schema.ts";

export type Database = kit.Database<typeof schema>;

export interface Listening {
  /** Whether every change committed more than a second ago has been announced here. */
  isLive(): boolean;
  stop(): Promise<void>;
}

/** Delivers the JSON payloads of the `berth_policy` channel, and calls `onGap` after some may have been missed. */
export type Listen = (onMessage: (payload: string) => void, onGap: () => void) => Promise<Listening>;

export interface OpenDatabase {
  readonly db: Database;
  readonly listen: Listen;
  /** Delivers what changes of the fleet until the function that it gives is called, and calls `onGap` after some may have been missed. */
  listenToFleet(hear: (signal: Signal) => void, onGap: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The folder is a sibling of both `src` and `dist`. */
export const MIGRATIONS = {
  migrationsFolder: fileURLToPath(new URL("../../drizzle", import.meta.url)),
  migrationsSchema: "directory",
  migrationsTable: "migrations",
};

export const POLICY_CHANNEL = "berth_policy";
