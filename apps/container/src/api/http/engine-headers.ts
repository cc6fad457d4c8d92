import { formatVersion, NEWEST_VERSION } from "../versions/version.ts";

/** What every response of a route carries. */
export function engineHeaders(berthVersion: string): Readonly<Record<string, string>> {
  return {
    "Api-Version": formatVersion(NEWEST_VERSION),
    "Docker-Experimental": "false",
    Ostype: "linux",
    Server: `Berth/${berthVersion} (linux)`,
  };
}
