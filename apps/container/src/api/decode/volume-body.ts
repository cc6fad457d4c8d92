import { goAny, goString, goStringMap, goStruct, or } from "../go-json/go-json.ts";

/** `POST /volumes/create`. */
export const volumeBody = goStruct("volume.VolumeCreateBody", {
  Name: or(goString, ""),
  Driver: or(goString, ""),
  DriverOpts: or(goStringMap, {}),
  Labels: or(goStringMap, {}),
  ClusterVolumeSpec: goAny.optional(),
});
