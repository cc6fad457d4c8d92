import { goAny, goMap, goString, goStruct, or } from "../go-json/go-json.ts";

const strings = goMap("string", goString);

/** `POST /volumes/create`. */
export const volumeBody = goStruct("volume.VolumeCreateBody", {
  Name: or(goString, ""),
  Driver: or(goString, ""),
  DriverOpts: or(strings, {}),
  Labels: or(strings, {}),
  ClusterVolumeSpec: goAny.optional(),
});
