import type { MountPoint } from "../../containers/records/container.ts";

/** One entry of `Mounts` in inspect and list. */
export function mountShape(mount: MountPoint) {
  return {
    Type: mount.type,
    ...(mount.name !== undefined && { Name: mount.name }),
    Source: mount.source,
    Destination: mount.destination,
    ...(mount.driver !== undefined && { Driver: mount.driver }),
    Mode: mount.mode,
    RW: mount.readWrite,
    Propagation: mount.propagation,
  };
}
