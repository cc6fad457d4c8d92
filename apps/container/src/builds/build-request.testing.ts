import { Readable } from "node:stream";
import type { BuildRequest, BuildResources } from "./builds.ts";

export const NO_RESOURCES: BuildResources = {
  shmSize: 0,
  memory: 0,
  memorySwap: 0,
  cpuShares: 0,
  cpuQuota: 0,
  cpuPeriod: 0,
  cpusetCpus: "",
  cpusetMems: "",
  ulimits: [],
};

/** A build of an empty context, but for what is given. */
export function requestOf(asked: Partial<BuildRequest>): BuildRequest {
  return {
    buildId: "",
    context: { kind: "archive", archive: Readable.from([]) },
    dockerfile: "",
    tags: [],
    args: {},
    labels: {},
    target: "",
    cache: "use",
    cacheFrom: [],
    pull: "missing",
    output: "all",
    platform: "",
    networkMode: "default",
    extraHosts: [],
    resources: NO_RESOURCES,
    auths: {},
    ...asked,
  };
}
