import {
  BASELINES,
  type Constraint,
  type ConstraintId,
  effectiveConstraints,
  type UserId,
} from "@berth/directory-domain";
import { describe, expect, it } from "vitest";
import type { Actor } from "../engine/actor.ts";
import type { HostDefaults } from "../engine/host-defaults.ts";
import { assertBuildAllowed, assertSourceAllowed, type BuildWish, decidedBuild } from "./builds.ts";

const HOST: HostDefaults = {
  cgroupnsMode: "private",
  limits: new Set(["swap"]),
  apparmor: false,
  defaultHostIp: undefined,
};
const MIB = 2 ** 20;
const ADMINISTRATOR: Actor = { kind: "administrator", id: undefined, login: "root" };
const NOTHING = {
  networkMode: "default",
  networks: [] as readonly string[],
  memory: 0,
  cpuQuota: 0,
  cpuPeriod: 0,
  ulimits: [] as BuildWish["ulimits"],
};

function userWith(...constraints: readonly Constraint[]): Actor {
  const owned = constraints.map((constraint, index) => ({
    ...constraint,
    id: (index + 1) as ConstraintId,
    owner: { kind: "user", id: 1 as UserId, name: "ann" } as const,
  }));
  return {
    kind: "user",
    id: "1",
    login: "ann",
    effective: effectiveConstraints({
      subject: { id: 1 as UserId, login: "ann", role: "user", active: true },
      constraints: owned as never,
      baseline: BASELINES.safe,
      at: "2026-01-01T00:00:00.000Z",
    }),
  };
}

function limitsOf(
  actor: Actor,
  wish: Partial<typeof NOTHING> = {},
  others = [] as ReturnType<typeof decidedBuild>[],
  storage = 0,
) {
  return assertBuildAllowed(actor, { ...NOTHING, ...wish }, { others, shared: [], storage, host: HOST });
}

describe("a build's limits", () => {
  it("are an administrator's wishes", () => {
    expect(limitsOf(ADMINISTRATOR)).toMatchObject({ memory: undefined, cpus: undefined, pids: undefined });
    expect(limitsOf(ADMINISTRATOR, { memory: 5, cpuQuota: 50_000 })).toMatchObject({ memory: 5, cpus: 0.5 });
  });

  it("are what is left of a user's quotas", () => {
    const ann = userWith(
      { kind: "quota", effect: "limit", resource: "memory", max: 512 * MIB },
      { kind: "quota", effect: "limit", resource: "cpu", max: 2 },
      { kind: "quota", effect: "limit", resource: "pids", max: 200 },
      { kind: "quota", effect: "limit", resource: "storage", max: 1000 },
    );
    const held = [decidedBuild(NOTHING, { memory: 128 * MIB, cpus: 0.5, pids: 50 })];
    expect(limitsOf(ann, {}, held, 400)).toEqual({ memory: 384 * MIB, cpus: 1.5, pids: 150, storage: 600 });
    expect(limitsOf(ann, { memory: 64 * MIB }, held)).toMatchObject({ memory: 64 * MIB });
  });

  it("are none without a quota", () =>
    expect(limitsOf(userWith())).toMatchObject({ memory: undefined, cpus: undefined, pids: undefined }));
});

describe("a build is denied", () => {
  const quota = userWith({ kind: "quota", effect: "limit", resource: "memory", max: 100 * MIB });
  it.each<[string, () => unknown, string]>([
    ["over a quota", () => limitsOf(quota, { memory: 200 * MIB }), "quota memory"],
    ["when nothing is left", () => limitsOf(quota, {}, [decidedBuild(NOTHING, { memory: 100 * MIB })]), "quota memory"],
    ["on the host's network", () => limitsOf(userWith(), { networkMode: "host" }), "host-network"],
    [
      "on another's network",
      () => limitsOf(userWith(), { networkMode: "2/web", networks: ["2/web"] }),
      "networks 2/web",
    ],
    [
      "with a limit that lets it outrank others",
      () => limitsOf(userWith(), { ulimits: [{ Name: "rtprio", Hard: 99 }] }),
      "SYS_NICE",
    ],
    ["in a container's network", () => limitsOf(userWith(), { networkMode: "container:x" }), "join-container"],
    [
      "as one container too many",
      () => limitsOf(userWith({ kind: "quota", effect: "limit", resource: "containers", max: 0 })),
      "quota containers",
    ],
    [
      "a URL of the host alone",
      () => assertSourceAllowed(userWith(), "http://127.0.0.1/x", true),
      "address of the host alone",
    ],
  ])("%s", (_, asking, message) => expect(asking).toThrow(message));

  it("to no administrator", () => {
    expect(limitsOf(ADMINISTRATOR, { networkMode: "host" })).toMatchObject({ memory: undefined });
    expect(() => assertSourceAllowed(ADMINISTRATOR, "http://127.0.0.1/x", true)).not.toThrow();
  });
});
