import { describe, expect, it } from "vitest";
import type { ContainerId } from "../engine/ids.ts";
import { answerName } from "./names.ts";
import { openNetwork } from "./network-table.ts";
import { NO_ADDRESS } from "./networks.ts";
import type { PlacedEndpoint, StoredSandbox } from "./store.ts";

interface Member {
  readonly name: string;
  readonly owner?: string;
  readonly aliases?: readonly string[];
}

/** A network with these containers on it; the n-th has the address 10.0.0.n, from 2 on. */
function answers(networkOwner: string | undefined, members: readonly Member[]) {
  const network = openNetwork({
    id: "n".repeat(64),
    name: "team",
    owner: networkOwner,
    driver: "bridge",
    createdAt: new Date(0).toISOString(),
    internal: false,
    attachable: false,
    enableIPv4: true,
    enableIPv6: false,
    options: {},
    labels: {},
    ipam: { driver: "default", options: null, config: [{ Subnet: "10.0.0.0/24", Gateway: "10.0.0.1" }] },
  });
  const sandboxes = new Map<ContainerId, StoredSandbox>();
  for (const [index, { name, owner, aliases = [] }] of members.entries()) {
    const containerId = `${index}`.repeat(64) as ContainerId;
    const endpoint: PlacedEndpoint = {
      networkId: network.network.id,
      networkName: "team",
      endpointId: "",
      address: `10.0.0.${index + 2}`,
      prefixLength: 24,
      gateway: "10.0.0.1",
      ipv6: NO_ADDRESS,
      macAddress: "",
      aliases: [...aliases, containerId.slice(0, 12)],
      request: {},
      bridge: network.bridge,
      link: `veth${index}`,
      interfaceName: "eth0",
    };
    network.endpoints.set(containerId, endpoint);
    sandboxes.set(containerId, {
      containerId,
      containerName: name,
      owner,
      hostServices: false,
      path: "",
      endpoints: [endpoint],
      nameservers: undefined,
    });
  }
  return (asker: number, name: string) => {
    const question = { networkId: network.network.id, from: `10.0.0.${asker + 2}`, name, reverse: false };
    const answer = answerName(question, new Map([[network.network.id, network]]), sandboxes);
    return answer.kind === "addresses"
      ? answer.addresses.map((text) => Number(text.split(".").at(-1)) - 2)
      : answer.kind;
  };
}

describe("on a network of several owners", () => {
  const [bob, eve, carol] = ["2", "3", "4"];

  it("a user's own containers answer before another's, whatever these call themselves", () => {
    const ask = answers(undefined, [
      { name: "app", owner: bob },
      { name: "db", owner: bob },
      { name: "x", owner: eve, aliases: ["db"] },
      { name: "db", owner: eve },
    ]);
    expect(ask(0, "db")).toEqual([1]);
    expect(ask(2, "db")).toEqual([2, 3]);
  });

  it("the network's owner answers before others", () => {
    const ask = answers(undefined, [
      { name: "app", owner: bob },
      { name: "proxy" },
      { name: "x", owner: eve, aliases: ["proxy"] },
    ]);
    expect(ask(0, "proxy")).toEqual([1]);
  });

  it("a container's name outranks another owner's alias, and nobody has a name that two claim", () => {
    const ask = answers(undefined, [
      { name: "app", owner: carol },
      { name: "db", owner: bob, aliases: ["store", "both"] },
      { name: "x", owner: eve, aliases: ["db", "both"] },
    ]);
    expect(ask(0, "db")).toEqual([1]);
    expect(ask(0, "db.team")).toEqual([1]);
    expect(ask(0, "store")).toEqual([1]);
    expect(ask(0, "both")).toBe("forward");
  });

  it("an alias with a dot answers to its owner alone", () => {
    const ask = answers(undefined, [
      { name: "app", owner: bob },
      { name: "x", owner: eve, aliases: ["api.github.com"] },
    ]);
    expect(ask(0, "api.github.com")).toBe("forward");
    expect(ask(1, "api.github.com")).toEqual([1]);
  });

  it("several containers of one owner share an alias", () => {
    const ask = answers(bob, [
      { name: "app", owner: carol },
      { name: "one", owner: bob, aliases: ["web.local"] },
      { name: "two", owner: bob, aliases: ["web.local"] },
    ]);
    expect(ask(0, "web.local")).toEqual([1, 2]);
  });
});
