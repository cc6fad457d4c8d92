import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MASKED_PATHS, READONLY_PATHS } from "../../../containers/records/masked-paths.ts";
import type { ContainerSpec } from "../../../containers/records/runtime.ts";
import { SECCOMP_PATH } from "../../../host/package-files.ts";
import { execOf, specOf } from "../../contract.testing.ts";
import { formatSpec, ociProcess, ociSpec, type SpecContext, type SpecHost } from "./spec.ts";

const HOST: SpecHost = {
  architecture: "amd64",
  kernel: [6, 1],
  cgroups: { version: 1, swapLimit: true, blkioWeight: false },
  capabilities: ["CAP_CHOWN", "CAP_KILL", "CAP_NET_ADMIN", "CAP_SYS_ADMIN"],
  hardLimits: { nofile: 20_000 },
  lowestOomScoreAdj: 0,
  apparmor: true,
};
const ROOT = { uid: 0, gid: 0, additionalGids: [0] };
const CONTEXT: SpecContext = {
  host: HOST,
  instance: "berth",
  user: ROOT,
  devices: [],
  throttles: [],
  seccompProfile: readFileSync(SECCOMP_PATH, "utf8"),
  init: "/usr/libexec/berth/init",
};

interface Oci {
  readonly process: Record<string, unknown> & {
    readonly args: readonly string[];
    readonly capabilities: Record<string, unknown>;
  };
  readonly root: unknown;
  readonly hostname?: string;
  readonly mounts: readonly {
    readonly destination: string;
    readonly type: string;
    readonly options: readonly string[];
  }[];
  readonly linux: Record<string, unknown> & {
    readonly resources: Record<string, unknown>;
    readonly namespaces: readonly object[];
    readonly sysctl: Record<string, string>;
    readonly seccomp?: {
      readonly architectures: readonly string[];
      readonly syscalls: readonly { readonly names: readonly string[]; readonly action: string }[];
    };
  };
}
function ociOf(wish: Partial<ContainerSpec> = {}, change: Partial<SpecContext> = {}): Oci {
  return JSON.parse(formatSpec(ociSpec(specOf(wish), { ...CONTEXT, ...change })));
}

describe("namespaces", () => {
  const namespaces = specOf({}).namespaces;

  it("are its own, but for what the spec says", () => {
    expect(ociOf().linux.namespaces).toEqual([
      { type: "mount" },
      { type: "network" },
      { type: "pid" },
      { type: "ipc" },
      { type: "uts" },
    ]);
    const shared = {
      network: { kind: "path", path: "/run/netns/a" },
      pid: { kind: "host" },
      ipc: { kind: "host" },
      uts: { kind: "host" },
      cgroup: { kind: "private" },
    } as const;
    const oci = ociOf({ namespaces: shared, domainname: "example" });
    expect(oci.linux.namespaces).toEqual([
      { type: "mount" },
      { type: "network", path: "/run/netns/a" },
      { type: "cgroup" },
    ]);
    expect(oci).not.toHaveProperty("hostname");
    expect(oci.linux.sysctl).not.toHaveProperty(["kernel.domainname"]);
    const shm = oci.mounts.find(({ destination }) => destination === "/dev/shm");
    expect(shm).toMatchObject({ type: "bind", source: "/dev/shm" });
  });

  it("let a container bind low ports in a network of its own alone", () => {
    expect(
      ociOf({ domainname: "example", sysctls: { "net.ipv4.ip_unprivileged_port_start": "80" } }).linux.sysctl,
    ).toEqual({
      "net.ipv4.ping_group_range": "0 2147483647",
      "net.ipv4.ip_unprivileged_port_start": "80",
      "kernel.domainname": "example",
    });
    expect(ociOf({ namespaces: { ...namespaces, network: { kind: "host" } } }).linux.sysctl).toEqual({});
  });
});

describe("the process", () => {
  it.each([
    ["", "/berth/"],
    ["/my.slice", "/my.slice/"],
    ["a/b", "/a/b/"],
  ])("lies in the control group of parent %j", (cgroupParent, expected) => {
    const spec = specOf({ cgroupParent });
    expect(ociSpec(spec, CONTEXT)).toMatchObject({ linux: { cgroupsPath: `${expected}${spec.id}` } });
  });

  it("is an init's child where it asks for one", () => {
    const oci = ociOf({ init: true, args: ["a", "b"] });
    expect(oci.process.args).toEqual(["/sbin/docker-init", "--", "a", "b"]);
    expect(oci.mounts.at(-1)).toMatchObject({ destination: "/sbin/docker-init", source: CONTEXT.init });
    expect(() => ociOf({ init: true }, { init: undefined })).toThrow("no init program");
  });

  it("of another user has its capabilities only in the bounding set", () => {
    const user = { uid: 7, gid: 7, additionalGids: [7] };
    expect(ociOf({}, { user }).process.capabilities).toEqual({ bounding: ["CAP_CHOWN", "CAP_KILL"] });
  });

  it("gets no more score than we may give", () => {
    expect(ociOf({ oomScoreAdj: -500 }).process.oomScoreAdj).toBe(0);
    const unbound = { ...HOST, lowestOomScoreAdj: -1000 };
    expect(ociOf({ oomScoreAdj: -500 }, { host: unbound }).process.oomScoreAdj).toBe(-500);
  });

  it("writes an unlimited limit as Go reads it", () => {
    const spec = specOf({ args: ["18446744073709551615"], ulimits: [{ name: "core", soft: 0, hard: -1 }] });
    expect(formatSpec(ociSpec(spec, CONTEXT))).toContain('"hard":18446744073709551615}');
    expect(formatSpec(ociSpec(spec, CONTEXT))).toContain('"args":["18446744073709551615"]');
  });

  it("of an exec has its container's rights", () => {
    const size = { height: 2, width: 3 };
    expect(ociProcess(execOf({ args: ["a"], cwd: "", terminal: true, size }), ROOT, HOST)).toMatchObject({
      args: ["a"],
      cwd: "/",
      terminal: true,
      consoleSize: size,
      capabilities: { effective: ["CAP_CHOWN", "CAP_KILL"] },
    });
    expect(ociProcess(execOf({ privileged: true }), ROOT, HOST)).toMatchObject({
      capabilities: { effective: HOST.capabilities },
    });
  });
});

it("hides from a container what inspect says", () => {
  expect(MASKED_PATHS).toEqual(
    expect.arrayContaining(["/proc/interrupts", "/proc/kcore", "/sys/devices/virtual/powercap"]),
  );
  expect(ociOf({}).linux).toMatchObject({ maskedPaths: MASKED_PATHS, readonlyPaths: READONLY_PATHS });
  expect(ociOf({ maskedPaths: ["/a"], readonlyPaths: [] }).linux).toMatchObject({
    maskedPaths: ["/a"],
    readonlyPaths: [],
  });
});

describe("a privileged container", () => {
  const oci = ociOf({ privileged: true });

  it("has all, and nothing is hidden from it", () => {
    expect(oci.process.capabilities.effective).toEqual(HOST.capabilities);
    expect(oci.linux).toMatchObject({
      maskedPaths: [],
      readonlyPaths: [],
      resources: { devices: [{ allow: true, access: "rwm" }] },
    });
    expect(oci.linux).not.toHaveProperty("seccomp");
    const writable = oci.mounts.filter(({ options }) => options.includes("rw")).map(({ destination }) => destination);
    expect(writable).toEqual(["/sys", "/sys/fs/cgroup"]);
  });

  it("is filtered all the same by a profile that was asked for", () => {
    const json = JSON.stringify({ defaultAction: "SCMP_ACT_ALLOW" });
    expect(ociOf({ privileged: true, seccomp: { kind: "profile", json } }).linux.seccomp).toMatchObject({
      defaultAction: "SCMP_ACT_ALLOW",
      syscalls: [],
    });
  });
});

describe("mounts", () => {
  it.each([
    [{ readonly: true, recursive: true }, ["rbind", "ro", "rro", "rprivate"]],
    [{ readonly: true, recursive: false }, ["bind", "ro", "rprivate"]],
    [{ readonly: false, recursive: true }, ["rbind", "rw", "rprivate"]],
    [{ readonly: false, recursive: false }, ["bind", "rw", "rprivate"]],
  ])("bind %j as %j", (wish, options) => {
    const mount = { kind: "bind", source: "/a", target: "/b", propagation: "", ...wish } as const;
    expect(ociOf({ mounts: [mount] }).mounts.at(-1)?.options).toEqual(options);
  });

  it("replace the defaults they cover, and come from the root down", () => {
    const bind = (target: string) =>
      ({ kind: "bind", source: "/src", target, readonly: true, propagation: "", recursive: false }) as const;
    const oci = ociOf({
      mounts: [bind("/a/b/c"), bind("/dev/shm"), bind("/a"), { kind: "tmpfs", target: "/t", options: [] }],
    });
    const own = oci.mounts.slice(-4);
    expect(own.map(({ destination }) => destination)).toEqual(["/a", "/t", "/dev/shm", "/a/b/c"]);
    expect(own[0]?.options).toEqual(["bind", "ro", "rprivate"]);
    expect(oci.mounts.filter(({ destination }) => destination === "/dev/shm")).toHaveLength(1);
  });

  it.each([
    [[], ["noexec", "nosuid", "nodev", "rprivate"]],
    [
      ["exec", "size=1m", "size=2m"],
      ["exec", "nosuid", "nodev", "rprivate", "size=2m"],
    ],
    [
      ["suid", "ro", "nosuid", "rw"],
      ["noexec", "nosuid", "nodev", "rprivate", "rw"],
    ],
  ])("of a tmpfs with %j are guarded", (options, expected) => {
    const oci = ociOf({ mounts: [{ kind: "tmpfs", target: "/t", options }] });
    expect(oci.mounts.at(-1)?.options).toEqual(expected);
  });

  it.each([
    ["rshared", "shared"],
    ["slave", "slave"],
    ["private", undefined],
  ])("with %s propagation make the root %s", (propagation, expected) => {
    const mount = { kind: "bind", source: "/a", target: "/b", readonly: false, propagation, recursive: true } as const;
    expect(ociOf({ mounts: [mount] }).linux.rootfsPropagation).toBe(expected);
  });
});

describe("resources", () => {
  const resourcesOf = (resources: ContainerSpec["resources"], cgroups = HOST.cgroups) => {
    const { devices: _, ...limits } = ociOf({ resources }, { host: { ...HOST, cgroups } }).linux.resources;
    return limits;
  };
  const mib = 1 << 20;

  it.each([
    [{}, {}],
    [{ memory: 0, cpuShares: 0, pidsLimit: 0, cpusetCpus: "" }, {}],
    [{ memory: mib }, { memory: { limit: mib, swap: 2 * mib } }],
    [{ memory: mib, memorySwap: -1 }, { memory: { limit: mib, swap: -1 } }],
    [
      { memory: mib, memorySwap: mib, memoryReservation: 5, memorySwappiness: 0, oomKillDisable: true },
      { memory: { limit: mib, swap: mib, reservation: 5, swappiness: 0, disableOOMKiller: true } },
    ],
    [{ memorySwappiness: -1, oomKillDisable: false }, {}],
    [
      { cpuShares: 5, cpuQuota: -1, cpuPeriod: 7, cpusetCpus: "0", cpusetMems: "1" },
      { cpu: { shares: 5, quota: -1, period: 7, cpus: "0", mems: "1" } },
    ],
    [{ cpuRealtimeRuntime: 500, cpuRealtimePeriod: 1000 }, { cpu: { realtimeRuntime: 500, realtimePeriod: 1000 } }],
    [{ pidsLimit: -1, blkioWeight: 300 }, { pids: { limit: -1 } }],
  ])("of %o are %o", (resources, expected) => expect(resourcesOf(resources)).toEqual(expected));

  it("hold block devices to a rate, beside a weight", () => {
    const disk = { major: 254, minor: 0 };
    const throttles = [
      { kind: "read-bytes", ...disk, rate: 1000 },
      { kind: "read-bytes", major: 7, minor: 1, rate: 2000 },
      { kind: "write-operations", ...disk, rate: 10 },
    ] as const;
    const cgroups = { ...HOST.cgroups, blkioWeight: true };
    const { linux } = ociOf({ resources: { blkioWeight: 300 } }, { throttles, host: { ...HOST, cgroups } });
    expect(linux.resources.blockIO).toEqual({
      weight: 300,
      throttleReadBpsDevice: [
        { ...disk, rate: 1000 },
        { major: 7, minor: 1, rate: 2000 },
      ],
      throttleWriteIOPSDevice: [{ ...disk, rate: 10 }],
    });
  });

  it("leave out what version 2 does not know", () => {
    const v2 = { version: 2, swapLimit: true, blkioWeight: true } as const;
    expect(resourcesOf({ memorySwappiness: 5, oomKillDisable: true, blkioWeight: 300 }, v2)).toEqual({
      blockIO: { weight: 300 },
    });
    expect(resourcesOf({ memory: 5 }, { ...v2, swapLimit: false })).toEqual({ memory: { limit: 5 } });
  });

  it("clamp limits to our own", () => {
    const limitsOf = (name: string, soft: number, hard: number) =>
      ociOf({ ulimits: [{ name, soft, hard }] }).process.rlimits;
    expect(limitsOf("nofile", 5, 1_000_000)).toEqual([{ type: "RLIMIT_NOFILE", soft: 5, hard: 20_000 }]);
    expect(limitsOf("nofile", -1, -1)).toEqual([{ type: "RLIMIT_NOFILE", soft: 20_000, hard: 20_000 }]);
    expect(limitsOf("nproc", 3, 4)).toEqual([{ type: "RLIMIT_NPROC", soft: 3, hard: 4 }]);
    expect(() => limitsOf("nproc", 4, 3)).toThrow("ulimit soft limit must be less than or equal to hard limit: 4 > 3");
  });
});

describe("devices", () => {
  it("are made and allowed", () => {
    const node = { path: "/dev/x", type: "c", major: 10, minor: 5, fileMode: 0o660, uid: 0, gid: 4 } as const;
    const oci = ociOf({ deviceCgroupRules: ["b *:3 rm"] }, { devices: [{ ...node, permissions: "r" }] });
    expect(oci.linux.devices).toEqual([node]);
    const rules = oci.linux.resources.devices as readonly object[];
    expect(rules[0]).toEqual({ allow: false, access: "rwm" });
    expect(rules.slice(-2)).toEqual([
      { allow: true, type: "c", major: 10, minor: 5, access: "r" },
      { allow: true, type: "b", minor: 3, access: "rm" },
    ]);
  });
});

describe("the default filter", () => {
  const namesOf = (wish: Partial<ContainerSpec>, action = "SCMP_ACT_ALLOW") =>
    (ociOf(wish).linux.seccomp?.syscalls ?? []).filter((rule) => rule.action === action).flatMap(({ names }) => names);

  it("depends on the capabilities", () => {
    expect(namesOf({})).not.toContain("mount");
    expect(namesOf({ capabilities: { add: ["SYS_ADMIN"], drop: [] } })).toContain("mount");
  });

  it("depends on the architecture", () => {
    expect(namesOf({})).toContain("arch_prctl");
    expect(ociOf().linux.seccomp?.architectures).toEqual(["SCMP_ARCH_X86_64", "SCMP_ARCH_X86"]);
    const arm = ociOf({}, { host: { ...HOST, architecture: "arm64" } }).linux.seccomp;
    expect(arm?.architectures[0]).toBe("SCMP_ARCH_AARCH64");
    expect(arm?.syscalls.flatMap(({ names }) => names)).not.toContain("arch_prctl");
  });
});
