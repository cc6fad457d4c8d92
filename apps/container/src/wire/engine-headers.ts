import { formatVersion, newestVersion } from "./version.ts";

/** What every response of a route carries. */
export const engineHeaders = (berthVersion: string): Readonly<Record<string, string>> => ({
  "Api-Version": formatVersion(newestVersion),
  "Docker-Experimental": "false",
  Ostype: "linux",
  Server: `Berth/${berthVersion} (linux)`,
});
