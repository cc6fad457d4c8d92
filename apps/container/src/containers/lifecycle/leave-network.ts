import type { Actor } from "../../engine/actor.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { Network, Sandbox } from "../../networks/networks.ts";
import type { PortTarget } from "../../ports/ports.ts";
import type { Context } from "../context.ts";
import { type AuthorizeContext, authorize } from "../create/authorize.ts";
import { hostPorts, portTarget } from "../ports/port-target.ts";
import type { Container } from "../records/container.ts";
import { recordedNetworks } from "../records/joined-networks.ts";
import { isRunning } from "../records/state.ts";
import { hostsFile, moveLines, resolvConfFile } from "../spec/file-contents.ts";
import { hostGateway } from "./host-resources.ts";
import { logged } from "./logged.ts";

/** What the log says of a step that failed after others had succeeded. */
const UNFINISHED = "failed to finish or undo a change of networks";

export type LeaveContext = AuthorizeContext & Pick<Context, "locks" | "networks" | "ports" | "supervisor" | "log">;

/**
 * Moves the container's ports to other addresses. Without any the ports are released; with the first one they are acquired, by `actor`'s
 * rights.
 */
export async function leadPorts(
  context: LeaveContext,
  actor: Actor | undefined,
  container: Container,
  { from, to }: { readonly from: PortTarget | undefined; readonly to: PortTarget | undefined },
): Promise<void> {
  const { ports } = context;
  const { id, name, owner } = container;
  const isRouted = (target: PortTarget | undefined) => (target?.routed ?? []).join();
  if (to?.ipv4 === from?.ipv4 && to?.ipv6 === from?.ipv6 && isRouted(to) === isRouted(from)) return;
  if (to === undefined) return await ports.release(id);
  if (from === undefined || isRouted(to) !== isRouted(from)) {
    const rights = actor && (await authorize(context, actor, container));
    await ports.lease({
      containerId: id,
      containerName: name,
      owner,
      wishes: hostPorts(context, container, container.ports.wishes).wishes,
      routed: to.routed ?? [],
      ...rights,
    });
  }
  await ports.publish(id, to);
}

/** Updates the container's own files after a change of networks: its addresses and its name server. */
export async function moveFiles(
  context: LeaveContext,
  container: Container,
  before: Sandbox,
  after: Sandbox,
): Promise<void> {
  const { files } = context;
  const host = await files.readHost();
  const made = (sandbox: Sandbox) => ({
    hosts: hostsFile(container, sandbox.endpoints, hostGateway(context, container)),
    resolvConf: resolvConfFile(container, host, sandbox),
  });
  const [old, fresh] = [made(before), made(after)];
  await files.change(container.id, (contents) => ({
    ...contents,
    hosts: moveLines(contents.hosts, old.hosts, fresh.hosts),
    resolvConf: old.resolvConf === fresh.resolvConf ? contents.resolvConf : fresh.resolvConf,
  }));
}

/** Whether the running container is on the network. */
export function isOn(
  { networks }: Pick<Context, "networks">,
  id: ContainerId,
  { id: networkId }: Pick<Network, "id">,
): boolean {
  return networks.sandboxOf(id)?.endpoints.some((endpoint) => endpoint.networkId === networkId) === true;
}

/** Disconnects a running container, ports first: another container may get the address right away. */
export async function leaveNow(
  context: LeaveContext,
  actor: Actor | undefined,
  network: Pick<Network, "id">,
  container: Container,
): Promise<void> {
  const { networks } = context;
  const { id } = container;
  const before = networks.sandboxOf(id);
  if (before === undefined || !isOn(context, id, network)) return;
  const rest = before.endpoints.filter(({ networkId }) => networkId !== network.id);
  const [from, to] = [
    portTarget(context, container, before),
    portTarget(context, container, { ...before, endpoints: rest }),
  ];
  try {
    await leadPorts(context, actor, container, { from, to });
    await networks.disconnect(id, network.id);
  } catch (thrown) {
    if (isOn(context, id, network))
      await logged(context, id, UNFINISHED, () => leadPorts(context, actor, container, { from: to, to: from }));
    throw thrown;
  }
  const after = networks.sandboxOf(id);
  // The container has left the network even if its files cannot be updated.
  if (after !== undefined) await logged(context, id, UNFINISHED, () => moveFiles(context, container, before, after));
}

/** The row without the network, whatever its key there. */
export function withoutNetwork(context: Pick<Context, "networks">, container: Container, networkId: string): Container {
  const [key] = [...recordedNetworks(context, container)].find(([, { id }]) => id === networkId) ?? [];
  if (key === undefined) return container;
  const { [key]: _, ...endpoints } = container.endpoints;
  return { ...container, endpoints };
}

/** How soon a container that could not leave a network leaves it. */
const LEAVE_AGAIN_MS = 2_000;

/**
 * Takes the container off a network that a connect failed to join, or that a disconnect did not get to leave. What fails is tried again
 * in the background. Never throws. The caller holds the container's lock.
 */
export async function leaveInAnyCase(context: LeaveContext, id: ContainerId, networkId: string): Promise<void> {
  const { registry, supervisor, log } = context;
  const left = await registry.observe(id, (before) => withoutNetwork(context, before, networkId));
  try {
    if (isRunning(left.state)) await leaveNow(context, undefined, { id: networkId }, left);
    if (leaves(context, id, networkId)) await registry.observe(id, (before) => before, "done");
  } catch (fault) {
    log.error(
      { container: id, err: fault },
      "failed to take a container off a network; trying again until it succeeds",
    );
    supervisor.retry(LEAVE_AGAIN_MS, () => void finishLeaving(context, id, networkId));
  }
}

/** Does what the intent to leave the network says, unless the container has ended or is gone. */
export function finishLeaving(context: LeaveContext, id: ContainerId, networkId: string): Promise<void> {
  return context.locks.hold(id, async () => {
    if (leaves(context, id, networkId)) await leaveInAnyCase(context, id, networkId);
  });
}

function leaves({ registry }: Pick<Context, "registry">, id: ContainerId, networkId: string): boolean {
  const intent = registry.intentOf(id);
  return intent?.kind === "leave" && intent.network === networkId;
}
