import { randomBytes } from "node:crypto";
import { isOutage } from "../engine/errors.ts";
import type { Network } from "./networks.ts";
import type { NetworkStore } from "./store.ts";

/** How soon a row that could not be deleted is tried again. */
const TRY_AGAIN_MS = 5_000;

export function newId(): string {
  return randomBytes(32).toString("hex");
}

type Rows = Pick<NetworkStore, "insertNetwork" | "deleteNetwork">;

/** Writes the network's row. After a failure there is none: a lost connection may have carried it over all the same. */
export async function insertRow(rows: Rows, network: Network): Promise<void> {
  try {
    await rows.insertNetwork(network);
  } catch (thrown) {
    if (isOutage(thrown)) await undoInsert(rows, network.id);
    throw thrown;
  }
}

/** Deletes the row of a network that was not made, or tries again later. Never throws. */
export async function undoInsert(rows: Rows, id: string): Promise<void> {
  try {
    await rows.deleteNetwork(id);
  } catch {
    setTimeout(() => void undoInsert(rows, id), TRY_AGAIN_MS).unref();
  }
}
