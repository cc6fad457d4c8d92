import { engineVersion } from "../versions/engine-version.ts";
import { formatVersion, NEWEST_VERSION } from "../versions/version.ts";

/** Adds the headers that every response has. */
export function engineHeaders(berthVersion: string): Readonly<Record<string, string>> {
  return {
    "Api-Version": formatVersion(NEWEST_VERSION),
    "Docker-Experimental": "false",
    Ostype: "linux",
    Server: `Docker/${engineVersion(berthVersion)} (linux)`,
  };
}
