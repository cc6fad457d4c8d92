import { goAny, goString, goStringMap, goStruct, or } from "../go-json/go-json.ts";

const strings = goStringMap;

/** `POST /volumes/create`. */
export const volumeBody = goStruct("volume.VolumeCreateBody", {
  Name: or(goString, ""),
  Driver: or(goString, ""),
  DriverOpts: or(strings, {}),
  Labels: or(strings, {}),
  ClusterVolumeSpec: goAny.optional(),
});
