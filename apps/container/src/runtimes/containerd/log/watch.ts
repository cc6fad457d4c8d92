import { type FSWatcher, watch } from "node:fs";

/** Wakes readers of one folder's files: many can share the one watch (inotify) that it keeps while anybody listens. */
export interface FolderWatch {
  /** Calls `wake` after every change until the answer is called. */
  listen(wake: () => void): () => void;
}

/** One watch for each folder with a listener. */
export function folderWatches(): (dir: string) => FolderWatch {
  const open = new Map<string, { readonly watcher: FSWatcher; readonly listeners: Set<() => void> }>();
  return (dir) => ({
    listen: (wake) => {
      let entry = open.get(dir);
      if (entry === undefined) {
        const listeners = new Set<() => void>();
        const wakeAll = () => {
          for (const listener of listeners) listener();
        };
        const watcher = watchIfThere(dir, wakeAll);
        if (watcher === undefined) return () => {};
        // The folder is deleted with its container: its readers look once more and end.
        watcher.on("error", wakeAll);
        entry = { watcher, listeners };
        open.set(dir, entry);
      }
      const { watcher, listeners } = entry;
      listeners.add(wake);
      return () => {
        listeners.delete(wake);
        if (listeners.size > 0 || open.get(dir)?.watcher !== watcher) return;
        open.delete(dir);
        watcher.close();
      };
    },
  });
}

/** Undefined if the folder is gone with its container, and nothing more will be written. */
function watchIfThere(dir: string, changed: () => void): FSWatcher | undefined {
  try {
    return watch(dir, { persistent: false }, changed);
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
    throw thrown;
  }
}
