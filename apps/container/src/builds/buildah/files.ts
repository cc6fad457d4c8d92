import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuilderJob, FetchJob } from "../builder.ts";
import { FETCHED_FILE } from "../context/remote.ts";
import { DOOR_DOMAIN } from "../door/names.ts";

export interface StepDefaults {
  /** What a container has by default. */
  readonly capabilities: readonly string[];
  /** The seccomp profile of containers, in Docker's form. */
  readonly seccompProfile: string;
}

/** Base images come from the door alone, and what is in the owner's cache came from there. */
const POLICY = {
  default: [{ type: "reject" }],
  transports: {
    docker: { [DOOR_DOMAIN]: [{ type: "insecureAcceptAnything" }] },
    "containers-storage": { "": [{ type: "insecureAcceptAnything" }] },
  },
};

function containersConf({ capabilities }: StepDefaults): string {
  return [
    "[containers]",
    `default_capabilities = ${JSON.stringify(capabilities)}`,
    "default_sysctls = []",
    "default_ulimits = []",
    'host_containers_internal_ip = "none"',
    "[engine]",
    'cgroup_manager = "cgroupfs"',
    'events_logger = "none"',
    'runtime = "runc"',
    "",
  ].join("\n");
}

function registriesConf(address: string): string {
  return [
    "unqualified-search-registries = []",
    "[[registry]]",
    `prefix = "${DOOR_DOMAIN}"`,
    `location = "${address}"`,
    "insecure = true",
    "[[registry]]",
    `location = "${address}"`,
    "insecure = true",
    "",
  ].join("\n");
}

function authOf(job: BuilderJob, address: string): string {
  const auth = Buffer.from(`${job.door.username}:${job.door.password}`).toString("base64");
  return JSON.stringify({ auths: { [address]: { auth }, [DOOR_DOMAIN]: { auth } } });
}

/** Writes what buildah reads, apart from the context, and returns the folder that becomes its `/etc/containers`. */
export async function writeFiles(
  job: BuilderJob,
  { address, steps }: { readonly address: string; readonly steps: StepDefaults },
): Promise<string> {
  return writeConfiguration(job, {
    "policy.json": JSON.stringify(POLICY),
    "registries.conf": registriesConf(address),
    "containers.conf": containersConf(steps),
    "auth.json": authOf(job, address),
    "seccomp.json": steps.seccompProfile,
    Dockerfile: job.dockerfile,
    // The context holds what the client meant it to hold.
    ignore: "",
  });
}

/** Writes what it takes to fetch a file, and to reach no registry. */
export async function writeFetchFiles(job: FetchJob, url: string, steps: StepDefaults): Promise<string> {
  return writeConfiguration(job, {
    "policy.json": JSON.stringify({ default: [{ type: "reject" }] }),
    "registries.conf": "unqualified-search-registries = []\n",
    "containers.conf": containersConf(steps),
    Dockerfile: `FROM scratch\nADD ${JSON.stringify([url, `/${FETCHED_FILE}`])}\n`,
  });
}

async function writeConfiguration(
  { folders, network }: Pick<FetchJob, "folders" | "network">,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(folders.work, "configuration");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const storage = '[storage]\ndriver = "overlay"\nrunroot = "/run/containers"\ngraphroot = "/build/cache/storage"\n';
  for (const [name, text] of Object.entries({ ...files, "storage.conf": storage, "resolv.conf": network.resolvConf }))
    await writeFile(join(folder, name), text, { mode: 0o600 });
  return folder;
}
