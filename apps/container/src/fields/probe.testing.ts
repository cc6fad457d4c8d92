import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appWith } from "../api/routes/app.testing.ts";
import { createContainers } from "../containers/containers-service.ts";
import { memoryContext } from "../containers/memory-context.testing.ts";
import type { Container } from "../containers/records/container.ts";
import type { ContainerSpec } from "../containers/records/runtime.ts";
import { viewerOf } from "../engine/owners.ts";
import { withCalls } from "../engine/with-calls.testing.ts";
import type { SandboxRequest } from "../networks/networks.ts";
import type { LeaseRequest } from "../ports/ports.ts";
import { ociSpec, type SpecContext } from "../runtimes/containerd/spec/spec.ts";
import type { CreateVolumeRequest } from "../volumes/volumes.ts";

/** What an OCI spec has, as far as the tests look at it. */
interface Oci {
  readonly process: Readonly<Record<string, unknown>> & {
    readonly args: readonly string[];
    readonly env: readonly string[];
  };
  readonly root: { readonly readonly: boolean };
  readonly hostname?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly mounts: readonly {
    readonly destination: string;
    readonly source?: string;
    readonly options: readonly string[];
  }[];
  readonly linux: {
    readonly sysctl: Readonly<Record<string, string>>;
    readonly cgroupsPath: string;
    readonly namespaces: readonly { readonly type: string; readonly path?: string }[];
    readonly maskedPaths: readonly string[];
    readonly readonlyPaths: readonly string[];
    readonly seccomp?: object;
    readonly resources: Readonly<
      Record<"memory" | "cpu" | "blockIO" | "pids", Readonly<Record<string, unknown>> | undefined>
    > & {
      readonly devices: readonly object[];
    };
  };
}

/** What became of a create request and the start after it. */
export interface Seen {
  readonly record: Container;
  /** What `docker inspect` shows. */
  readonly inspect: {
    readonly Config: Readonly<Record<string, unknown>>;
    readonly HostConfig: Readonly<Record<string, unknown>>;
    readonly Mounts: readonly unknown[];
  };
  readonly spec: ContainerSpec;
  readonly oci: Oci;
  readonly sandbox: SandboxRequest | undefined;
  readonly lease: LeaseRequest | undefined;
  readonly hosts: string;
  readonly resolvConf: string;
  /** The calls that made volumes. */
  readonly volumes: readonly CreateVolumeRequest[];
  readonly populated: readonly string[];
  readonly madeSources: readonly string[];
}

export type Outcome =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "created"; readonly warnings: readonly string[]; readonly seen: Seen };

const HOST: SpecContext["host"] = {
  architecture: "amd64",
  kernel: [6, 1],
  cgroups: { version: 1, swapLimit: true, blkioWeight: true },
  capabilities: ["CAP_CHOWN", "CAP_NET_RAW", "CAP_SYS_ADMIN"],
  hardLimits: {},
  lowestOomScoreAdj: -1000,
  apparmor: true,
};

function ociOf(spec: ContainerSpec): Oci {
  const device = { type: "b", major: 8, minor: 0, fileMode: 0o660, uid: 0, gid: 0 } as const;
  // The runtime makes binds of images before.
  const mounts = spec.mounts.filter(({ kind }) => kind !== "image");
  return ociSpec(
    { ...spec, mounts },
    {
      host: HOST,
      instance: "berth",
      user: { uid: 0, gid: 0, additionalGids: [] },
      devices: spec.devices.map(({ path, permissions }) => ({ ...device, path, permissions })),
      throttles: (spec.throttles ?? []).map(({ kind, rate }) => ({ kind, rate, major: 8, minor: 0 })),
      seccompProfile: JSON.stringify({ defaultAction: "SCMP_ACT_ERRNO", syscalls: [] }),
      init: "/init",
    },
  ) as Oci;
}

/** The engine in memory, from the request's bytes to the OCI spec. `host` says what the machine can do. */
export async function openProbe(host: { readonly apparmor?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "berth-fields-"));
  const calls = { volumes: [] as CreateVolumeRequest[], populated: [] as string[], madeSources: [] as string[] };
  const last: { spec?: ContainerSpec; sandbox?: SandboxRequest; lease?: LeaseRequest } = {};
  const base = await memoryContext(folder);
  const context = {
    ...base,
    host: { ...base.host, ...host },
    runtime: withCalls(base.runtime, {
      start: (spec) => {
        last.spec = spec;
        return base.runtime.start(spec);
      },
    }),
    networks: withCalls(base.networks, {
      claim: (request) => {
        last.sandbox = request;
        return base.networks.claim(request);
      },
    }),
    ports: withCalls(base.ports, {
      lease: (request) => {
        last.lease = request;
        return base.ports.lease(request);
      },
    }),
    volumes: withCalls(base.volumes, {
      create: (request) => {
        calls.volumes.push(request);
        return base.volumes.create(request);
      },
      ready: async () => {},
    }),
    files: withCalls(base.files, {
      bindSource: async (path, { make }) => {
        if (make) calls.madeSources.push(path);
        return "there";
      },
      populate: async (_, path) => void calls.populated.push(path),
    }),
  };
  const service = createContainers(context, { ps: async () => [] });
  const { request, faults } = appWith({
    containers: service.containers,
    networks: context.networks,
    events: context.events,
  });
  const peers = new Set<string>();

  async function create(body: object, name: string, version: number): Promise<Outcome> {
    Object.assign(last, { spec: undefined, sandbox: undefined, lease: undefined });
    for (const list of Object.values(calls)) list.length = 0;
    const made = await request("POST", `/v1.${version}/containers/create?name=${name}`, body);
    const answer = (await made.json()) as { message: string; Id: string; Warnings: string[] };
    if (made.status !== 201) return { kind: "refused", message: answer.message };
    const started = await request("POST", `/v1.${version}/containers/${name}/start`);
    if (started.status !== 204) throw new Error(`start: ${await started.text()}`);
    const inspect = await request("GET", `/v1.${version}/containers/${name}/json`);
    const record = service.context.registry.get(answer.Id as Container["id"]);
    if (last.spec === undefined || record === undefined) throw new Error("nothing was started");
    const { hosts, resolvConf } = context.files.paths(record.id);
    const seen: Seen = {
      record,
      inspect: (await inspect.json()) as Seen["inspect"],
      spec: last.spec,
      oci: ociOf(last.spec),
      sandbox: last.sandbox,
      lease: last.lease,
      hosts: await readFile(hosts, "utf8"),
      resolvConf: await readFile(resolvConf, "utf8"),
      volumes: [...calls.volumes],
      populated: [...calls.populated],
      madeSources: [...calls.madeSources],
    };
    return { kind: "created", warnings: answer.Warnings, seen };
  }

  return {
    /** Creates and starts a container with the body's fields, looks at it, and removes it. */
    async look(body: object, version = 51): Promise<Outcome> {
      const name = `c${peers.size}`;
      try {
        return await create({ Image: "busybox", Cmd: ["sleep", "2000"], ...body }, name, version);
      } finally {
        await request("DELETE", `/containers/${name}?force=1`);
        for (const { name: volume } of calls.volumes) {
          const made = base.volumes.find(volume, viewerOf(undefined));
          if (made !== undefined) await base.volumes.remove(made, { inUse: new Set() });
        }
      }
    },
    async network(name: string, subnet: string): Promise<void> {
      const made = await request("POST", "/networks/create", { Name: name, IPAM: { Config: [{ Subnet: subnet }] } });
      if (made.status !== 201) throw new Error(await made.text(), { cause: faults[0] });
    },
    /** Starts a container that others refer to. */
    async peer(name: string, body: object): Promise<void> {
      peers.add(name);
      const outcome = await create({ Image: "busybox", Cmd: ["sleep", "2000"], ...body }, name, 51);
      if (outcome.kind === "refused") throw new Error(outcome.message);
    },
    async close(): Promise<void> {
      await service.stopAll();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}
