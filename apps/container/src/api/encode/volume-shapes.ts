import type { Volume } from "../../volumes/volumes.ts";

function orNull(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> | null {
  return Object.keys(map).length === 0 ? null : map;
}

/** A volume of `GET /volumes`, inspect and create; `UsageData` only in `GET /system/df`. */
export function volumeShape(volume: Volume, usage?: { readonly size: number; readonly references: number }) {
  return {
    CreatedAt: volume.createdAt,
    Driver: volume.driver,
    Labels: orNull(volume.labels),
    Mountpoint: volume.mountpoint,
    Name: volume.name,
    Options: orNull(volume.options),
    Scope: "local",
    ...(usage !== undefined && { UsageData: { Size: usage.size, RefCount: usage.references } }),
  };
}
