import { describe, expect, it } from "vitest";
import { someConfig, someHostConfig } from "../records/container.testing.ts";
import { normalisedCreate, validateBody } from "./create.testing.ts";

const IMAGE = { Image: "busybox" };

function host(HostConfig: object) {
  return { ...IMAGE, HostConfig };
}

/** `HostConfig` of `docker run busybox` as dockerd 28.5.2 with cgroup v1 returns it. */
const defaults = someHostConfig({
  LogConfig: { Type: "json-file", Config: {} },
  CgroupnsMode: "host",
  IpcMode: "private",
  ShmSize: 67108864,
  Runtime: "runc",
  OomKillDisable: false,
});

describe("normalise", () => {
  it("fills in dockerd's defaults and adds no field that it lacks", () => {
    const { hostConfig, config } = normalisedCreate(IMAGE);
    expect(hostConfig).toMatchObject(defaults);
    expect(Object.keys(hostConfig)).not.toEqual(expect.arrayContaining(["Init"]));
    expect(config).toEqual(someConfig());
  });

  it.each([
    ["swap doubles the memory", host({ Memory: 8388608 }), { MemorySwap: 16777216 }],
    ["a pids limit below one is none", host({ PidsLimit: -1 }), { PidsLimit: null }],
    [
      "top-level host config without a HostConfig",
      { ...IMAGE, PortBindings: { "80/tcp": [{ HostPort: "1" }] } },
      { PortBindings: { "80/tcp": [{ HostIp: "", HostPort: "1" }] } },
    ],
    [
      "top-level host config beside one is ignored",
      { ...host({}), PortBindings: { "80/tcp": null } },
      { PortBindings: null },
    ],
    [
      "top-level memory of old clients",
      { ...host({}), Memory: 8388608, Cpuset: "0" },
      { Memory: 8388608, CpusetCpus: "0" },
    ],
    ["a given Init stays", host({ Init: false }), { Init: false }],
  ])("%s", (_, body, expected) => {
    expect(normalisedCreate(body).hostConfig).toMatchObject(expected);
  });

  it.each([
    [24, { AutoRemove: false, IpcMode: "shareable" }],
    [39, { AutoRemove: true, IpcMode: "shareable" }],
    [41, { AutoRemove: true, IpcMode: "private" }],
  ])("defaults of API 1.%i", (version, expected) => {
    expect(normalisedCreate(host({ AutoRemove: true }), version).hostConfig).toMatchObject(expected);
  });

  it("keeps the cgroup namespace private on unified cgroups", () => {
    expect(normalisedCreate(IMAGE, 51, { cgroupnsMode: "private" }).hostConfig.CgroupnsMode).toBe("private");
    expect(
      normalisedCreate(host({ CgroupnsMode: "host" }), 51, { cgroupnsMode: "private" }).hostConfig.CgroupnsMode,
    ).toBe("host");
  });

  it("warns about discarded limits", () => {
    const { warnings } = normalisedCreate(host({ KernelMemory: 8388608, CpuPercent: 50 }), 41);
    expect(warnings).toEqual([
      "Specifying a kernel memory limit is deprecated and will be removed in a future release.",
      "linux does not support CPU percent. Percent discarded.",
    ]);
  });

  it("drops discarded limits without validating them", () => {
    const { hostConfig, warnings } = normalisedCreate(host({ BlkioWeight: 5 }), 51, { limits: new Set() });
    expect(hostConfig.BlkioWeight).toBe(0);
    expect(warnings).toEqual([
      "Your kernel does not support Block I/O weight or the cgroup is not mounted. Weight discarded.",
    ]);
    expect(validateBody(host({ BlkioWeight: 5 }))).toBe("Range of blkio weight is from 10 to 1000");
  });
});
