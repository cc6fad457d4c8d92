import { randomBytes } from "node:crypto";
import type { ContainerId } from "../containers/container.ts";
import type { ContainerSpec } from "../containers/runtime.ts";

/** A container with Docker's defaults, for one test. */
export const specOf = (wish: Partial<ContainerSpec>): ContainerSpec => ({
  id: randomBytes(32).toString("hex") as ContainerId,
  args: ["true"],
  env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
  cwd: "/",
  user: "",
  additionalGroups: [],
  hostname: "berth",
  domainname: "",
  terminal: false,
  stdin: false,
  mounts: [],
  readonlyRootfs: false,
  privileged: false,
  capabilities: { add: [], drop: [] },
  seccomp: { kind: "default" },
  noNewPrivileges: false,
  maskedPaths: undefined,
  readonlyPaths: undefined,
  namespaces: {
    network: { kind: "private" },
    pid: { kind: "private" },
    ipc: { kind: "private" },
    uts: { kind: "private" },
    cgroup: { kind: "host" },
  },
  devices: [],
  deviceCgroupRules: [],
  resources: {},
  ulimits: [],
  sysctls: {},
  shmSize: 64 << 20,
  oomScoreAdj: 0,
  init: false,
  cgroupParent: "",
  log: { maxBytes: undefined, maxFiles: 1 },
  ...wish,
});
