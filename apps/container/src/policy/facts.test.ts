import {
  BASELINES,
  type Constraint,
  type ConstraintId,
  decide,
  effectiveConstraints,
  explain,
  type UserId,
} from "@berth/directory-domain";
import { describe, expect, it } from "vitest";
import type { HostConfig } from "../containers/records/config.ts";
import { someContainer, someHostConfig } from "../containers/records/container.testing.ts";
import { specResources } from "../containers/spec/to-spec.ts";
import { ENDPOINT_SYSCTLS } from "../engine/endpoint-sysctls.ts";
import type { HostDefaults, Limit } from "../engine/host-defaults.ts";
import { containerFacts, privilegesOf } from "./facts.ts";

const HOST: HostDefaults = {
  cgroupnsMode: "private",
  limits: new Set(["swap"]),
  apparmor: false,
  defaultHostIp: undefined,
};

function interfaces(effect: "deny" | "limit", ...addresses: readonly string[]): Constraint {
  return { kind: "host-interfaces", effect, addresses };
}

describe("privilegesOf", () => {
  it("is empty for a plain request", () =>
    expect(privilegesOf({ hostConfig: someHostConfig(), endpoints: {} }, HOST)).toEqual([]));

  it.each([
    [{ Privileged: true }, "privileged"],
    [{ NetworkMode: "host" }, "host-network"],
    [{ NetworkMode: "container:abc" }, "join-container"],
    [{ PidMode: "container:abc" }, "join-container"],
    [{ PidMode: "host" }, "host-pid"],
    [{ IpcMode: "host" }, "host-ipc"],
    [{ UTSMode: "host" }, "host-uts"],
    [{ UsernsMode: "host" }, "host-users"],
    [{ CgroupnsMode: "host" }, "host-cgroups"],
    [{ Devices: [{ PathOnHost: "/dev/sda", PathInContainer: "", CgroupPermissions: "" }] }, "devices"],
    [{ DeviceCgroupRules: ["a *:* rwm"] }, "devices"],
    [{ DeviceRequests: [{}] }, "devices"],
    [{ SecurityOpt: ["seccomp=unconfined"] }, "unconfined"],
    [{ SecurityOpt: ["seccomp:unconfined"] }, "unconfined"],
    [{ SecurityOpt: ['seccomp={"defaultAction":"SCMP_ACT_ALLOW"}'] }, "unconfined"],
    [{ SecurityOpt: ["apparmor=unconfined"] }, "unconfined"],
    [{ SecurityOpt: ["label=disable"] }, "unconfined"],
    [{ MaskedPaths: [] }, "unconfined"],
    [{ ReadonlyPaths: [] }, "unconfined"],
    [{ OomScoreAdj: -1 }, "unconfined"],
    [{ Sysctls: { "net.core.somaxconn": "1" } }, "sysctls"],
    [{ Runtime: "kata" }, "runtime"],
    [{ CgroupParent: "/" }, "cgroup-parent"],
    [{ CapAdd: ["cap_net_admin"] }, "capability:NET_ADMIN"],
    [{ Ulimits: [{ Name: "rtprio", Soft: 0, Hard: 1 }] }, "capability:SYS_NICE"],
    [{ Ulimits: [{ Name: "rtprio", Soft: -1, Hard: -1 }] }, "capability:SYS_NICE"],
    [{ Ulimits: [{ Name: "nice", Soft: 0, Hard: 40 }] }, "capability:SYS_NICE"],
    [{ CapAdd: ["all"] }, "capability:ALL"],
  ])("reads %j as %s", (hostConfig, privilege) => {
    expect(privilegesOf({ hostConfig: someHostConfig(hostConfig), endpoints: {} }, HOST)).toEqual([privilege]);
  });

  it("does not count what every container on the host has as a privilege", () => {
    const hostConfig = someHostConfig({ CgroupnsMode: "host" });
    expect(privilegesOf({ hostConfig, endpoints: {} }, { ...HOST, cgroupnsMode: "host" })).toEqual([]);
  });

  it("ignores options that only restrict", () => {
    const Ulimits = [
      { Name: "rtprio", Soft: 0, Hard: 0 },
      { Name: "nice", Soft: 0, Hard: 20 },
      { Name: "nofile", Soft: 9, Hard: 99 },
    ];
    const SecurityOpt = ["no-new-privileges", "label=type:x"];
    const hostConfig = someHostConfig({ SecurityOpt, Ulimits, CapDrop: ["ALL"] });
    expect(privilegesOf({ hostConfig, endpoints: {} }, HOST)).toEqual([]);
  });

  it("counts the sysctls of an endpoint's interface", () => {
    const DriverOpts = { [ENDPOINT_SYSCTLS]: "net.ipv4.conf.IFNAME.log_martians=1" };
    expect(privilegesOf({ hostConfig: someHostConfig(), endpoints: { bridge: { DriverOpts } } }, HOST)).toEqual([
      "sysctls",
    ]);
  });
});

describe("containerFacts", () => {
  const subject = { id: 1 as UserId, login: "ann", role: "user", active: true } as const;
  const effective = effectiveConstraints({
    subject,
    constraints: [],
    baseline: BASELINES.safe,
    at: "2026-01-01T00:00:00.000Z",
  });
  const surroundings = {
    host: HOST,
    hostFolders: [],
    images: [{ references: ["docker.io/library/busybox:latest"] }],
    networks: [],
    others: [],
    storage: 7,
    shared: [],
  };
  const wish = (start: number, end = start) =>
    ({ containerPort: 80, protocol: "tcp", hostIp: "", hostPorts: { start, end } }) as const;

  it.each([
    ["a port of its own", { ports: { exposed: [], wishes: [wish(8080)] } }, true],
    ["a port of the system", { ports: { exposed: [], wishes: [wish(80)] } }, false],
    ["the host's processes", { hostConfig: someHostConfig({ PidMode: "host" }) }, false],
  ])("lets the safe baseline decide on %s", (_, container, allowed) => {
    expect(decide(containerFacts(someContainer(container), surroundings), effective).allowed).toBe(allowed);
  });

  it.each<readonly [string, string | undefined, Constraint, boolean]>([
    ["", undefined, interfaces("deny", "::1", "fd00::/8"), false],
    ["", undefined, interfaces("deny", "10.0.0.0/8"), false],
    ["", undefined, interfaces("limit", "0.0.0.0/0"), false],
    ["", undefined, interfaces("limit", "*"), true],
    ["0.0.0.0", undefined, interfaces("deny", "::1", "fd00::/8"), true],
    ["", "127.0.0.1", interfaces("deny", "::1", "fd00::/8"), true],
    ["", "127.0.0.1", interfaces("limit", "127.0.0.0/8"), true],
    ["", "127.0.0.1", interfaces("deny", "127.0.0.1"), false],
    ["", "::", interfaces("deny", "10.0.0.0/8"), false],
    ["10.0.0.1", "127.0.0.1", interfaces("limit", "127.0.0.0/8"), false],
  ])(
    "decides on a binding to %j with the default address %s, under %j: %s",
    (hostIp, defaultHostIp, limit, allowed) => {
      const container = someContainer({ ports: { exposed: [], wishes: [{ ...wish(8080), hostIp }] } });
      const constraint = {
        ...limit,
        id: 1 as ConstraintId,
        owner: { type: "user", id: subject.id },
        expiresAt: null,
      } as const;
      const at = "2026-01-01T00:00:00.000Z";
      const constrained = effectiveConstraints({ subject, constraints: [constraint], baseline: BASELINES.safe, at });
      const facts = containerFacts(container, { ...surroundings, host: { ...HOST, defaultHostIp } });
      expect(decide(facts, constrained).allowed).toBe(allowed);
    },
  );

  it("counts a real-time scheduler share as unlimited CPU", () => {
    const hostConfig = someHostConfig({ NanoCpus: 5e8, CpuRealtimeRuntime: 500 });
    expect(containerFacts(someContainer({ hostConfig }), surroundings).quantities.cpu).toBe("unlimited");
  });

  it.each<readonly [Partial<HostConfig>, number | "unlimited"]>([
    [{}, "unlimited"],
    [{ NanoCpus: 1 }, "unlimited"],
    [{ NanoCpus: 9_999 }, "unlimited"],
    [{ NanoCpus: 10_000_000 }, 0.01],
    [{ CpuQuota: -1 }, "unlimited"],
    [{ CpuQuota: 50_000 }, 0.5],
    [{ CpuQuota: 50_000, CpuPeriod: 10_000 }, 5],
  ])("counts the CPUs that the kernel gives for %j as %s", (fields, cpus) => {
    const hostConfig = someHostConfig(fields);
    expect(containerFacts(someContainer({ hostConfig }), surroundings).quantities.cpu).toBe(cpus);
    const { cpuQuota = -1, cpuPeriod = 100_000 } = specResources(hostConfig);
    expect(cpuQuota > 0 ? cpuQuota / cpuPeriod : "unlimited").toBe(cpus);
  });

  it.each<readonly [Partial<HostConfig>, number | "unlimited"]>([
    [{ Memory: 0 }, "unlimited"],
    [{ Memory: 100 }, 100],
    [{ Memory: 100, MemorySwap: 100 }, 100],
    [{ Memory: 100, MemorySwap: 200 }, 100],
    [{ Memory: 100, MemorySwap: 300 }, 200],
    [{ Memory: 100, MemorySwap: -1 }, "unlimited"],
  ])("counts memory and the swap beyond Docker's default of %j as %s", (fields, memory) => {
    const container = someContainer({ hostConfig: someHostConfig(fields) });
    expect(containerFacts(container, surroundings).quantities.memory).toBe(memory);
  });

  it("counts memory alone on a host that cannot limit swap", () => {
    const container = someContainer({ hostConfig: someHostConfig({ Memory: 100, MemorySwap: -1 }) });
    const host = { ...HOST, limits: new Set<Limit>() };
    expect(containerFacts(container, { ...surroundings, host }).quantities.memory).toBe(100);
  });

  it.each([
    [{ Memory: 100, MemorySwap: -1 }, "set --memory-swap to 200 or less"],
    [{ Memory: 100, MemorySwap: 300 }, "set --memory-swap to 200 or less"],
    [{ Memory: 0 }, "add --memory 150b or less"],
  ])("names the flag that helps against %j under a quota", (limits, remedy) => {
    const quota = { kind: "quota", effect: "limit", resource: "memory", max: 150 } as const;
    const of = effectiveConstraints({
      subject,
      constraints: [{ ...quota, id: 1 as ConstraintId, owner: { type: "user", id: subject.id }, expiresAt: null }],
      baseline: BASELINES.safe,
      at: "2026-01-01T00:00:00.000Z",
    });
    const facts = containerFacts(someContainer({ hostConfig: someHostConfig(limits) }), surroundings);
    expect(explain(decide(facts, of))).toContain(remedy);
  });

  it("adds up what counts for each shared quota", () => {
    const other = someContainer({ hostConfig: someHostConfig({ Memory: 1024, PidsLimit: 10 }) });
    const shared = [
      { id: 5, resource: "memory", held: [other, other] },
      { id: 6, resource: "containers", held: [other] },
    ] as const;
    expect(containerFacts(someContainer(), { ...surroundings, shared }).sharedUse).toEqual({ 5: 2048, 6: 1 });
  });

  it("adds up the resources of the owner's other containers", () => {
    const other = someContainer({
      hostConfig: someHostConfig({ Memory: 1024, NanoCpus: 5e8, PidsLimit: 10 }),
      ports: { exposed: [], wishes: [wish(1), wish(2)] },
    });
    expect(containerFacts(someContainer(), { ...surroundings, others: [other, other, someContainer()] }).used).toEqual({
      containers: 3,
      "published-ports": 4,
      memory: 2048,
      cpu: 1,
      pids: 20,
      storage: 7,
    });
  });
});
