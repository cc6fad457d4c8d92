import { BASELINES, decide, effectiveConstraints, type UserId } from "@berth/directory-domain";
import { describe, expect, it } from "vitest";
import { someContainer, someHostConfig } from "../containers/records/container.testing.ts";
import { containerFacts, privilegesOf } from "./facts.ts";

const HOST = { cgroupnsMode: "private" } as const;

describe("privilegesOf", () => {
  it("is empty for a plain request", () => expect(privilegesOf(someHostConfig(), HOST)).toEqual([]));

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
    [{ CapAdd: ["all"] }, "capability:ALL"],
  ])("reads %j as %s", (hostConfig, privilege) => {
    expect(privilegesOf(someHostConfig(hostConfig), HOST)).toEqual([privilege]);
  });

  it("does not count what every container on the host has as a privilege", () => {
    expect(privilegesOf(someHostConfig({ CgroupnsMode: "host" }), { cgroupnsMode: "host" })).toEqual([]);
  });

  it("ignores options that only restrict", () => {
    expect(
      privilegesOf(someHostConfig({ SecurityOpt: ["no-new-privileges", "label=type:x"], CapDrop: ["ALL"] }), HOST),
    ).toEqual([]);
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
  const surroundings = { host: HOST, hostFolders: [], references: ["docker.io/library/busybox:latest"], others: [] };
  const wish = (start: number, end = start) =>
    ({ containerPort: 80, protocol: "tcp", hostIp: "", hostPorts: { start, end } }) as const;

  it.each([
    ["a port of its own", { ports: { exposed: [], wishes: [wish(8080)] } }, true],
    ["a port of the system", { ports: { exposed: [], wishes: [wish(80)] } }, false],
    ["the host's processes", { hostConfig: someHostConfig({ PidMode: "host" }) }, false],
  ])("lets the safe baseline decide on %s", (_, container, allowed) => {
    expect(decide(containerFacts(someContainer(container), surroundings), effective).allowed).toBe(allowed);
  });

  it("counts a real-time scheduler share as unlimited CPU", () => {
    const hostConfig = someHostConfig({ NanoCpus: 5e8, CpuRealtimeRuntime: 500 });
    expect(containerFacts(someContainer({ hostConfig }), surroundings).quantities.cpu).toBe("unlimited");
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
    });
  });
});
