import type { VolumeFolders, VolumeRow, VolumeStore } from "./volumes-service.ts";

/** Volumes in memory: rows, folders, and folders that are being removed. */
export class MemoryVolumes {
  readonly rows = new Map<string, VolumeRow>();
  readonly made = new Set<string>();
  readonly removed = new Set<string>();

  readonly store: VolumeStore = {
    load: async () => [...this.rows.values()],
    insert: async (row) => void this.rows.set(row.folder, row),
    delete: async (folder) => void this.rows.delete(folder),
  };

  readonly folders: VolumeFolders = {
    path: (folder) => `/volumes/${folder}/_data`,
    make: async (folder) => void this.made.add(folder),
    setAside: async (folder) => {
      if (this.made.delete(folder)) this.removed.add(folder);
    },
    putBack: async (folder) => {
      if (this.removed.delete(folder)) this.made.add(folder);
    },
    discard: async (folder) => void this.removed.delete(folder),
    aside: async () => [...this.removed],
    size: async () => 0,
    diskUsage: async () => 0,
  };
}
