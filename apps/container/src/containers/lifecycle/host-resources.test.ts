import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ContainerId } from "../../engine/ids.ts";
import type { Network } from "../../networks/networks.ts";
import { memoryContext } from "../memory-context.testing.ts";
import { someContainer, someHostConfig } from "../records/container.testing.ts";
import type { Container } from "../records/container.ts";
import { CREATED, started } from "../records/state.ts";
import { boundBy, hostBinding, prepare } from "./host-resources.ts";

function network(name: string, { internal = false, address = "" } = {}): Network {
  return {
    id: name,
    name,
    driver: "bridge",
    createdAt: new Date(0).toISOString(),
    internal,
    attachable: false,
    enableIPv4: true,
    enableIPv6: false,
    options: { "com.docker.network.bridge.host_binding_ipv4": address },
    labels: {},
    ipam: { driver: "default", options: null, config: [] },
  };
}

function bindingOf(...all: readonly Network[]) {
  const recorded = (ref: string) => all.find(({ name }) => name === ref);
  const endpoints = Object.fromEntries(all.map(({ name }) => [name, {}]));
  return hostBinding({ networks: { recorded, sandboxOf: () => undefined } }, { endpoints, owner: undefined });
}

it("takes the binding address of the network with the default route", () => {
  expect(
    bindingOf(network("inner", { internal: true, address: "127.0.0.2" }), network("front", { address: "127.0.0.1" })),
  ).toBe("127.0.0.1");
  expect(bindingOf(network("front", { address: "127.0.0.1" }), network("back"))).toBeUndefined();
  expect(bindingOf(network("front"), network("back", { address: "127.0.0.1" }))).toBe("127.0.0.1");
  expect(bindingOf()).toBeUndefined();
});

it("binds what names no address to it, and nothing else", () => {
  const wish = (hostIp: string) => ({ containerPort: 80, protocol: "tcp", hostIp, hostPorts: undefined }) as const;
  expect(boundBy("127.0.0.1", [wish(""), wish("0.0.0.0")]).map(({ hostIp }) => hostIp)).toEqual([
    "127.0.0.1",
    "0.0.0.0",
  ]);
  expect(boundBy(undefined, [wish("")]).map(({ hostIp }) => hostIp)).toEqual([""]);
});

it("gives a container that joins another's network the names and name servers of that one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "berth-joined-"));
  try {
    const context = await memoryContext(folder);
    const running = async (letter: string, NetworkMode: string) => {
      const container: Container = {
        ...someContainer({ hostConfig: someHostConfig({ NetworkMode, DnsSearch: letter === "a" ? ["corp"] : [] }) }),
        id: letter.repeat(64) as ContainerId,
        name: letter,
        endpoints: letter === "a" ? { bridge: {} } : {},
        state: started(CREATED, { pid: process.pid, at: "2026-01-01T00:00:00Z" }),
      };
      await context.registry.insert(container, { kind: "start" });
      await prepare(context, container, undefined);
      const { hosts, resolvConf } = context.files.paths(container.id);
      return await Promise.all([hosts, resolvConf].map((path) => readFile(path, "utf8")));
    };
    const first = await running("a", "bridge");
    expect(first[0]).toMatch(/^172\.29\.0\.\d+\t/m);
    expect(first[1]).toContain("search corp\n");
    expect(await running("b", `container:${"a".repeat(64)}`)).toEqual(first);
    expect(await running("c", `container:${"b".repeat(64)}`)).toEqual(first);
  } finally {
    await rm(folder, { recursive: true });
  }
});
