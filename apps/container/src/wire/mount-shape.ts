import type { MountPoint } from "../containers/container.ts";

/** One entry of `Mounts` in inspect and list. */
export const mountShape = (mount: MountPoint) => ({
  Type: mount.type,
  ...(mount.name !== undefined && { Name: mount.name }),
  Source: mount.source,
  Destination: mount.destination,
  ...(mount.driver !== undefined && { Driver: mount.driver }),
  Mode: mount.mode,
  RW: mount.readWrite,
  Propagation: mount.propagation,
});
