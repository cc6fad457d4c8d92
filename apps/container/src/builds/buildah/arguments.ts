import type { BuilderJob } from "../builder.ts";
import { RESULT_REPOSITORY } from "../door/names.ts";

const GLOBAL = ["--storage-driver=overlay", "--root=/build/cache/storage", "--runroot=/run/containers"];

/** What the host's control groups can limit. */
export type StepLimits = ReadonlySet<string>;

function limitArguments(
  { request: { resources }, limits: { memory = 0 } }: Pick<BuilderJob, "request" | "limits">,
  limits: StepLimits,
): readonly string[] {
  const { shmSize, memorySwap, cpuShares, cpuQuota, cpuPeriod, cpusetCpus, cpusetMems, ulimits } = resources;
  const given: readonly (readonly [flag: string, value: number | string, limit: string])[] = [
    ["memory", memory, "memory"],
    ["memory-swap", memorySwap, "swap"],
    ["cpu-shares", cpuShares, "cpu-shares"],
    ["cpu-quota", cpuQuota, "cpu-quota"],
    ["cpu-period", cpuPeriod, "cpu-quota"],
    ["cpuset-cpus", cpusetCpus, "cpuset"],
    ["cpuset-mems", cpusetMems, "cpuset"],
  ];
  return [
    ...given
      .filter(([, value, limit]) => value !== 0 && value !== "" && limits.has(limit))
      .map(([flag, value]) => `--${flag}=${value}`),
    ...(shmSize === 0 ? [] : [`--shm-size=${shmSize}b`]),
    ...ulimits.map(({ Name, Soft, Hard }) => `--ulimit=${Name}=${Soft}:${Hard}`),
  ];
}

/** The command that builds. Its steps have the network that the builder has, and see no control groups. */
export function buildCommand(
  job: Pick<BuilderJob, "request" | "network" | "cache" | "limits">,
  { cgroupParent, limits }: { readonly cgroupParent: string; readonly limits: StepLimits },
): readonly string[] {
  const { request, network, cache } = job;
  const args = Object.entries(request.args).flatMap(([name, value]) =>
    value === null ? [] : [`--build-arg=${name}=${value}`],
  );
  return [
    "buildah",
    ...GLOBAL,
    "build",
    "--isolation=oci",
    "--runtime=runc",
    "--format=docker",
    "--layers",
    "--force-rm",
    "--network=host",
    "--http-proxy=false",
    "--identity-label=false",
    "--pull-always",
    "--skip-unused-stages=false",
    "--authfile=/etc/containers/auth.json",
    "--ignorefile=/etc/containers/ignore",
    "--security-opt=seccomp=/etc/containers/seccomp.json",
    "--volume=/empty:/sys/fs/cgroup:ro",
    `--cgroup-parent=${cgroupParent}`,
    ...(cache === "ignore" ? ["--no-cache"] : []),
    ...(request.platform === "" ? [] : [`--platform=${request.platform}`]),
    ...Object.entries(request.labels).map(([name, value]) => `--label=${name}=${value}`),
    ...args,
    ...network.hosts.map((host) => `--add-host=${host}`),
    ...limitArguments(job, limits),
    "--file=/etc/containers/Dockerfile",
    "/build/context",
  ];
}

/** The command that puts the result into the door. */
export function pushCommand(image: string, address: string): readonly string[] {
  return [
    "buildah",
    ...GLOBAL,
    "push",
    "--quiet",
    "--authfile=/etc/containers/auth.json",
    image.replace("sha256:", ""),
    `docker://${address}/${RESULT_REPOSITORY}:latest`,
  ];
}

/** The command that removes the containers that a killed build left in its cache. */
export const CLEAN_COMMAND: readonly string[] = ["buildah", ...GLOBAL, "rm", "--all"];

/** The command that removes images from the cache, each with those that only it was built upon. */
export function evictCommand(images: readonly string[]): readonly string[] {
  return ["buildah", ...GLOBAL, "rmi", "--force", ...images];
}

/** The command that fetches a file into `/build/fetched`. */
export const FETCH_FILE_COMMAND: readonly string[] = [
  "buildah",
  ...GLOBAL,
  "build",
  "--isolation=chroot",
  "--no-cache",
  "--layers=false",
  "--http-proxy=false",
  "--file=/etc/containers/Dockerfile",
  "--output=type=local,dest=/build/fetched",
  "/empty",
];

const FETCH_REPOSITORY = `set -e
cd /build/fetched
git init -q .
git remote add origin "$1"
if git fetch -q --depth 1 origin "$2"; then
  git checkout -q FETCH_HEAD
else
  # A server may refuse a commit by its id.
  git fetch -q --tags origin "+refs/heads/*:refs/remotes/origin/*"
  git checkout -q "$2"
fi
git submodule update -q --init --recursive --depth 1
rm -rf .git`;

/** The command that fetches a repository into `/build/fetched`. No protocol but those of the web and Git's own runs anything. */
export function fetchRepositoryCommand(url: string, ref: string): readonly string[] {
  const environment = ["GIT_ALLOW_PROTOCOL=http:https:git", "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1"];
  return ["env", ...environment, "sh", "-c", FETCH_REPOSITORY, "fetch", url, ref];
}
