import type { ContainerId } from "../../engine/ids.ts";
import type { Endpoint, InetAddress, Network } from "../../networks/networks.ts";

function cidrOf({ address, prefixLength }: InetAddress): string {
  return address === "" ? "" : `${address}/${prefixLength}`;
}

function endpointShape(endpoint: Endpoint, name: string) {
  return {
    Name: name,
    EndpointID: endpoint.endpointId,
    MacAddress: endpoint.macAddress,
    IPv4Address: cidrOf(endpoint),
    IPv6Address: cidrOf(endpoint.ipv6),
  };
}

/** `GET /networks/{id}`, or an entry of `GET /networks`. `nameOf` names the network's containers that the actor may see. */
export function networkShape(
  network: Network,
  endpoints: ReadonlyMap<ContainerId, Endpoint>,
  nameOf: (id: ContainerId) => string | undefined,
) {
  return {
    Name: network.name,
    Id: network.id,
    Created: network.createdAt,
    Scope: "local",
    Driver: network.driver,
    EnableIPv4: network.enableIPv4,
    EnableIPv6: network.enableIPv6,
    IPAM: { Driver: network.ipam.driver, Options: network.ipam.options, Config: network.ipam.config },
    Internal: network.internal,
    Attachable: network.attachable,
    Ingress: false,
    ConfigFrom: { Network: "" },
    ConfigOnly: false,
    Containers: Object.fromEntries(
      [...endpoints].flatMap(([id, endpoint]) => {
        const name = nameOf(id);
        return name === undefined ? [] : [[id, endpointShape(endpoint, name)]];
      }),
    ),
    Options: network.options,
    Labels: network.labels,
  };
}
