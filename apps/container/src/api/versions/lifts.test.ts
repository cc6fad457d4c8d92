import { describe, expect, it } from "vitest";
import { decodeCreateBody } from "../decode/create-body.ts";
import { parseJson } from "../go-json/json-body.ts";
import { liftCreate } from "./create-lifts.ts";

const MAC = "02:42:ac:11:00:09";
const SYSCTL = { "net.ipv4.conf.eth0.log_martians": "1" };
const OPTION = "com.docker.network.endpoint.sysctls";

function lifted(version: number, body: object) {
  const decoded = decodeCreateBody(parseJson(Buffer.from(JSON.stringify({ Image: "busybox", ...body }))));
  return liftCreate(version, { ...decoded, name: undefined, platform: "linux/arm64" });
}

function host(HostConfig: object) {
  return { HostConfig };
}

function mount(fields: object) {
  return host({ Mounts: [{ Target: "/m", Type: "bind", Source: "/a", ...fields }] });
}

function joining(endpoints: object, HostConfig: object = {}) {
  return { HostConfig, NetworkingConfig: { EndpointsConfig: endpoints } };
}

describe("what a create request of an older version means", () => {
  // The last version of the old meaning, a body, and what `pick` finds at that version and at the next.
  it.each<[number, object, (of: ReturnType<typeof lifted>) => unknown, unknown, unknown]>([
    [24, host({ AutoRemove: true }), ({ request }) => request.hostConfig.AutoRemove, false, true],
    [39, host({ KernelMemoryTCP: 7 }), ({ request }) => request.hostConfig.KernelMemoryTCP, 0, 7],
    [39, {}, ({ request }) => request.hostConfig.IpcMode, "shareable", ""],
    [
      39,
      mount({ BindOptions: { NonRecursive: true } }),
      ({ request }) => request.hostConfig.Mounts?.[0]?.BindOptions,
      {},
      { NonRecursive: true },
    ],
    [40, {}, ({ request }) => request.platform, undefined, "linux/arm64"],
    [41, host({ ConsoleSize: [3, 4] }), ({ request }) => request.hostConfig.ConsoleSize, [0, 0], [3, 4]],
    [41, host({ KernelMemory: 7 }), ({ request }) => request.hostConfig.KernelMemory, 7, 0],
    [
      41,
      mount({ BindOptions: { CreateMountpoint: true } }),
      ({ request }) => request.hostConfig.Mounts?.[0]?.BindOptions,
      {},
      { CreateMountpoint: true },
    ],
    [42, host({ Annotations: { a: "b" } }), ({ request }) => request.hostConfig.Annotations, undefined, { a: "b" }],
    [
      43,
      { Healthcheck: { Test: ["NONE"], StartInterval: 7 } },
      ({ request }) => request.config.Healthcheck?.StartInterval,
      undefined,
      7,
    ],
    [43, joining({ n: { MacAddress: MAC } }), ({ request }) => request.endpoints.n?.MacAddress, undefined, MAC],
    [47, joining({ n: { GwPriority: 7 } }), ({ request }) => request.endpoints.n?.GwPriority, undefined, 7],
    [
      47,
      host({ VolumeDriver: "x", Mounts: [{ Type: "volume", Target: "/m" }] }),
      ({ warnings }) => warnings.length,
      0,
      1,
    ],
  ])("1.%i and the next: %j", (last, body, pick, before, after) => {
    expect(pick(lifted(last, body))).toEqual(before);
    expect(pick(lifted(last + 1, body))).toEqual(after);
  });

  // The first version that takes it, and what an older one is told.
  it.each<[number, object, string]>([
    [44, mount({ BindOptions: { ReadOnlyForceRecursive: true } }), "needs API v1.44 or newer"],
    [44, joining({ n: {}, m: {} }), "Container cannot be created with multiple network endpoints: n, m"],
    [45, mount({ Type: "volume", VolumeOptions: { Subpath: "p" } }), "VolumeOptions.Subpath needs API v1.45 or newer"],
    [48, mount({ Type: "image" }), 'Mount type "Image" needs API v1.48 or newer'],
  ])("1.%i takes %j", (first, body, refusal) => {
    expect(() => lifted(first - 1, body)).toThrow(refusal);
    expect(() => lifted(first, body)).not.toThrow();
  });

  // The last version that takes it, and what a newer one is told.
  it.each<[number, object, string]>([
    [41, mount({ VolumeOptions: {} }), 'VolumeOptions must not be specified on mount type "bind"'],
    [47, host({ Sysctls: SYSCTL }), "must be supplied using driver option"],
  ])("1.%i takes for the last time %j", (last, body, refusal) => {
    expect(() => lifted(last, body)).not.toThrow();
    expect(() => lifted(last + 1, body)).toThrow(refusal);
  });
});

describe("the container-wide MAC address", () => {
  it.each([43, 44])("is that of the main network's endpoint, 1.%i", (version) => {
    const { request } = lifted(version, { MacAddress: MAC, ...joining({ n: {} }, { NetworkMode: "n" }) });
    expect(request.endpoints).toEqual({ n: { MacAddress: MAC } });
  });

  it("warns, and goes from the configuration, from 1.44 on", () => {
    expect(lifted(43, { MacAddress: MAC }).warnings).toEqual([]);
    const { request, warnings } = lifted(44, { MacAddress: MAC });
    expect(warnings).toEqual([expect.stringContaining("container-wide MacAddress field is now deprecated")]);
    expect(request.config.MacAddress).toBeUndefined();
  });

  it.each<[number, object, string]>([
    [43, host({ NetworkMode: "host" }), "conflicting options: mac-address and the network mode"],
    [44, joining({ n: {}, m: {} }, { NetworkMode: "x" }), "unable to migrate container-wide MAC address"],
    [44, joining({ n: { MacAddress: "02:42:ac:11:00:01" } }, { NetworkMode: "n" }), "must match the endpoint-specific"],
  ])("is refused where it contradicts, 1.%i %j", (version, body, refusal) => {
    expect(() => lifted(version, { MacAddress: MAC, ...body })).toThrow(refusal);
  });
});

describe("sysctls of an interface", () => {
  it("move to the endpoint, before its own, with a warning", () => {
    const own = { n: { DriverOpts: { [OPTION]: "net.ipv4.conf.IFNAME.forwarding=1" } } };
    const { request, warnings } = lifted(
      47,
      joining(own, { NetworkMode: "n", Sysctls: { ...SYSCTL, "net.core.a": "2" } }),
    );
    expect(request.hostConfig.Sysctls).toEqual({ "net.core.a": "2" });
    expect(request.endpoints.n?.DriverOpts).toEqual({
      [OPTION]: "net.ipv4.conf.IFNAME.log_martians=1,net.ipv4.conf.IFNAME.forwarding=1",
    });
    expect(warnings).toEqual([expect.stringContaining("Migrated sysctl")]);
  });

  it("of another interface than eth0 have no endpoint to go to", () => {
    const body = host({ Sysctls: { "net.ipv4.conf.eth1.log_martians": "1" } });
    expect(() => lifted(47, body)).toThrow("unable to determine network endpoint for sysctl");
  });

  it("stay where the network is another's", () => {
    const { request } = lifted(51, host({ NetworkMode: "host", Sysctls: SYSCTL }));
    expect(request.hostConfig.Sysctls).toEqual(SYSCTL);
  });
});

it("the endpoint `default` is the default network's", () => {
  expect(lifted(51, joining({ default: { Aliases: ["a"] } })).request).toMatchObject({
    hostConfig: { NetworkMode: "bridge" },
    endpoints: { bridge: { Aliases: ["a"] } },
  });
});
