import { EngineError } from "../../engine/errors.ts";
import { sharedContainer } from "../../engine/network-mode.ts";
import { validateEndpoint } from "../../networks/endpoint-rules.ts";
import type { EndpointRequest, Network } from "../../networks/networks.ts";
import type { Container } from "../records/container.ts";
import { isRunning } from "../records/state.ts";

const SHARED_NETWORK =
  "container sharing network namespace with another container or host cannot be connected to any other network";
const HOST_NETWORK = "container cannot be disconnected from host network or connected to host network";
const OTHER_THAN_HOST = "cannot connect container to host network - container must be created in host network mode";
const NO_NETWORK = "container cannot be connected to multiple networks with one of the networks in private (none) mode";

/** Throws `invalid` with every fault of the endpoint. */
function checkRequest(network: Network, request: EndpointRequest): void {
  const refusal = validateEndpoint(network.name, network, request);
  if (refusal !== undefined) throw new EngineError("invalid", refusal);
}

function checkAlive({ id, state }: Container): void {
  if (state.status === "removing" || state.status === "dead")
    throw new EngineError(
      "conflict",
      `Container ${id} is marked for removal and cannot be connected or disconnected to the network`,
    );
}

/**
 * Checks whether the container may join the network. Throws Docker's error (moby `updateNetworkSettings`).
 *
 * @param joined the networks the container is on.
 * @returns false if nothing changes: a stopped container is already on the network.
 */
export function checkJoin(
  container: Container,
  network: Network,
  joined: readonly Network[],
  request: EndpointRequest,
): boolean {
  checkAlive(container);
  const mode = container.hostConfig.NetworkMode;
  if (sharedContainer(mode) !== undefined) throw new EngineError("invalid", SHARED_NETWORK);
  const already = joined.some(({ id }) => id === network.id);
  if (already && isRunning(container.state))
    throw new EngineError(
      "forbidden",
      `endpoint with name ${container.name} already exists in network ${network.name}`,
    );
  if (already) {
    checkRequest(network, request);
    return false;
  }
  if (network.driver === "host" && mode !== "host") throw new EngineError("invalid", OTHER_THAN_HOST);
  if (network.driver === "host" || mode === "host" || joined.some(({ driver }) => driver === "host"))
    throw new EngineError("invalid", SHARED_NETWORK);
  if (joined.length > 0 && [network, ...joined].some(({ driver }) => driver === "null"))
    throw new EngineError("invalid", NO_NETWORK);
  checkRequest(network, request);
  return true;
}

/** Checks whether the container may leave the network. Throws Docker's error (moby `DisconnectFromNetwork`). */
export function checkLeave(container: Container, network: Network, joined: readonly Network[]): void {
  checkAlive(container);
  if (network.driver === "host") throw new EngineError("invalid", HOST_NETWORK);
  if (!joined.some(({ id }) => id === network.id))
    throw new EngineError("failed", `container ${container.id} is not connected to network ${network.name}`);
}
