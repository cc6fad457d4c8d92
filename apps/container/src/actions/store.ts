import type { RecordedAction } from "../engine/action.ts";

/** The rows of actions that the directory has not taken yet. */
export interface ActionStore {
  insert(actions: readonly RecordedAction[]): Promise<void>;
  /** The oldest, in the order in which they were recorded. */
  oldest(limit: number): Promise<readonly RecordedAction[]>;
  remove(actions: readonly RecordedAction[]): Promise<void>;
  /** Removes the oldest beyond `most`; returns how many. */
  trim(most: number): Promise<number>;
}
