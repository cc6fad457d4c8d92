import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { parseNetworkMode } from "../../engine/network-mode.ts";
import { viewerOf } from "../../engine/owners.ts";
import { startStep } from "../../engine/telemetry.ts";
import type { Sandbox } from "../../networks/networks.ts";
import type { PortRights } from "../../policy/containers.ts";
import type { PortTarget } from "../../ports/ports.ts";
import type { Context } from "../context.ts";
import { linkEnvironment, linkedContainers, linkHosts } from "../create/links.ts";
import { wishesOf } from "../create/sticky-ports.ts";
import { hostPorts, portTarget } from "../ports/port-target.ts";
import type { Container } from "../records/container.ts";
import type { FileContents, HostFiles } from "../records/files.ts";
import type { NamespaceSpec } from "../records/runtime.ts";
import { isRunning } from "../records/state.ts";
import { hostsFile, resolvConfFile } from "../spec/file-contents.ts";

/** The container whose network another joins: by its id, or by the name of another of its owner's where there was none at create. */
function networkPeer(
  { registry }: Pick<Context, "registry">,
  { owner }: Pick<Container, "owner">,
  ref: string,
): Container | undefined {
  const named = registry.get(ref as ContainerId) ?? registry.find(viewerOf(owner), ref);
  return named?.id === ref || named?.owner === owner ? named : undefined;
}

function networkPid(context: Pick<Context, "registry">, container: Container, ref: string): number {
  const peer = networkPeer(context, container, ref);
  if (peer === undefined)
    throw new EngineError("not-found", `joining network namespace of container: No such container: ${ref}`);
  return runningPid(context, peer.id, "network");
}

/** The process of a container whose namespace another joins. Throws `not-found`, or `conflict` if it does not run. */
export function runningPid(context: Pick<Context, "registry">, ref: string, kind: "network" | "PID" | "IPC"): number {
  const peer = context.registry.get(ref as ContainerId);
  if (!peer) throw new EngineError("not-found", `No such container: ${ref}`);
  if (!isRunning(peer.state))
    throw new EngineError(
      "conflict",
      kind === "network"
        ? `cannot join network namespace of a non running container: container ${peer.name} is ${peer.state.status}`
        : `failed to join ${kind} namespace: container ${peer.id} is not running`,
    );
  return peer.state.pid;
}

/** As `runningPid`, of one that shares its IPC namespace. */
export function sharingPid(context: Pick<Context, "registry">, ref: string): number {
  const { IpcMode = "" } = context.registry.get(ref as ContainerId)?.hostConfig ?? {};
  if (IpcMode === "private" || IpcMode === "none")
    throw new EngineError(
      "failed",
      `can't join IPC of container ${ref}: non-shareable IPC (hint: use IpcMode:shareable for the donor container)`,
    );
  return runningPid(context, ref, "IPC");
}

export interface Prepared {
  readonly network: NamespaceSpec;
  /** Where published ports lead. */
  readonly target: PortTarget | undefined;
  /** Environment variables that legacy links add. */
  readonly linkEnvironment: readonly string[];
  readonly interfaceSysctls: Readonly<Record<string, string>>;
}

/** Resolves the container's links over the default bridge. Throws `failed` unless every linked container runs. */
function linksOf(context: Pick<Context, "registry" | "networks">, container: Container) {
  return linkedContainers(context, container).map(({ ref, alias, to, address }) => {
    if (!to || !address)
      throw new EngineError("failed", `Cannot link to a non running container: ${ref} AS /${container.name}/${alias}`);
    return { hosts: linkHosts(to, alias, address), environment: linkEnvironment(container, to, alias, address) };
  });
}

/** Wraps a failed port claim in Docker's message. */
function unpublished(reason: unknown, container: Container, sandbox: Sandbox): unknown {
  return isEngineError(reason, "failed")
    ? new EngineError(
        "failed",
        `failed to set up container networking: driver failed programming external connectivity on endpoint ${container.name} (${sandbox.endpoints[0]?.endpointId ?? ""}): ${reason.message}`,
        { cause: reason },
      )
    : reason;
}

/** The container at the end of a row of joined networks. Names may change, so a row may also come back to a container that it passed. */
function networkHolder(context: Pick<Context, "registry">, container: Container): Container {
  const passed = new Set<ContainerId>();
  for (let at = container; ; ) {
    passed.add(at.id);
    const mode = parseNetworkMode(at.hostConfig.NetworkMode);
    const next = mode.kind === "container" ? networkPeer(context, at, mode.ref) : undefined;
    if (next === undefined || passed.has(next.id)) return at;
    at = next;
  }
}

/** What files say of a container's network: its own, the host's, or that of the container which it joins. */
function networkFiles(
  context: Pick<Context, "registry" | "networks">,
  joining: Container,
  host: HostFiles,
): Pick<FileContents, "hosts" | "resolvConf"> {
  const container = networkHolder(context, joining);
  const network = parseNetworkMode(container.hostConfig.NetworkMode);
  if (network.kind === "host") return { hosts: host.hosts, resolvConf: resolvConfFile(container, host, "host") };
  const { endpoints = [], nameserver } = context.networks.sandboxOf(container.id) ?? {};
  return {
    hosts: hostsFile(container, endpoints, hostGateway(context, container)),
    resolvConf: resolvConfFile(container, host, { nameserver }),
  };
}

/** Prepares what the process needs on the host: sandbox, leases and the container's own files. */
export async function prepare(
  context: Pick<Context, "registry" | "networks" | "ports" | "files">,
  container: Container,
  rights: PortRights | undefined,
): Promise<Prepared> {
  const { networks, ports, files } = context;
  const network = parseNetworkMode(container.hostConfig.NetworkMode);
  const host = await files.readHost();
  if (network.kind === "host" || network.kind === "container") {
    const path = network.kind === "host" ? undefined : `/proc/${networkPid(context, container, network.ref)}/ns/net`;
    await files.write(container.id, {
      ...networkFiles(context, container, host),
      hostname: `${container.config.Hostname}\n`,
    });
    const joined: NamespaceSpec = path === undefined ? { kind: "host" } : { kind: "path", path };
    return { network: joined, target: undefined, linkEnvironment: [], interfaceSysctls: {} };
  }
  const links = linksOf(context, container);
  const publishes = network.kind !== "none";
  const [claimed, leased] = await Promise.allSettled([
    startStep("network", container.id, () =>
      networks.claim({
        containerId: container.id,
        containerName: container.name,
        owner: container.owner,
        hostServices: container.hostServices,
        hostname: container.config.Hostname,
        endpoints: container.endpoints,
        nameservers: container.hostConfig.Dns,
      }),
    ),
    publishes
      ? startStep("ports", container.id, () =>
          ports.lease({
            containerId: container.id,
            containerName: container.name,
            owner: container.owner,
            ...hostPorts(context, container, wishesOf(container)),
            ...rights,
          }),
        )
      : [],
  ]);
  if (claimed.status === "rejected") throw claimed.reason;
  const sandbox = claimed.value;
  if (leased.status === "rejected") throw unpublished(leased.reason, container, sandbox);
  await files.write(container.id, {
    hosts: hostsFile(
      container,
      sandbox.endpoints,
      hostGateway(context, container),
      links.map(({ hosts }) => hosts),
    ),
    hostname: `${container.config.Hostname}\n`,
    resolvConf: resolvConfFile(container, host, sandbox),
  });
  return {
    network: { kind: "path", path: sandbox.path },
    target: portTarget(context, container, sandbox),
    linkEnvironment: links.flatMap(({ environment }) => environment),
    interfaceSysctls: sandbox.sysctls,
  };
}

/** What `host-gateway` stands for in the container's extra hosts: the host's address on the default network, reachable from every other. */
export function hostGateway({ networks }: Pick<Context, "networks">, { hostConfig, owner }: Container): string {
  const named = (hostConfig.ExtraHosts ?? []).some((entry) => /[:=]host-gateway$/.test(entry));
  return named ? (networks.recorded("bridge", owner)?.ipam.config[0]?.Gateway ?? "") : "";
}

/** Releases everything that a run of the container held on the host. Idempotent; ports are free when it settles. */
export async function releaseHost(
  { ports, networks }: Pick<Context, "networks" | "ports">,
  id: ContainerId,
): Promise<void> {
  try {
    await ports.release(id);
  } finally {
    await networks.release(id);
  }
}

/** How soon a release that failed is tried again. */
const RELEASE_AGAIN_MS = 2_000;

/**
 * Releases what a run of the container held on the host, after its process is gone. What fails is tried again in the background until it
 * succeeds or the container runs again: a start releases first. Never throws. The caller holds the container's lock.
 */
export async function releaseInAnyCase(
  context: Pick<Context, "networks" | "ports" | "registry" | "locks" | "supervisor" | "log">,
  id: ContainerId,
): Promise<void> {
  try {
    await releaseHost(context, id);
  } catch (fault) {
    const { locks, log, registry, supervisor } = context;
    log.error({ container: id, err: fault }, "failed to release resources of exited container");
    const again = () =>
      locks.hold(id, async () => {
        const container = registry.get(id);
        if (container !== undefined && !isRunning(container.state)) await releaseInAnyCase(context, id);
      });
    supervisor.retry(RELEASE_AGAIN_MS, () => void again());
  }
}
