import { describe, expect, it } from "vitest";
import { someConfig, someContainer, someHostConfig } from "../records/container.testing.ts";
import { environmentOf, specResources, toSpec } from "./to-spec.ts";

const SURROUNDINGS = {
  network: { kind: "path", path: "/run/netns/x" },
  files: { hosts: "/s/hosts", hostname: "/s/hostname", resolvConf: "/s/resolv.conf" },
  pidOf: () => 42,
} as const;

describe("toSpec", () => {
  it("mounts the container's own files first, its mounts over them, and deeper mounts later", () => {
    const bind = (source: string, destination: string) =>
      ({ type: "bind", source, destination, mode: "", readWrite: true, propagation: "rprivate" }) as const;
    const spec = toSpec(
      someContainer({ mounts: [bind("/deep", "/a/b"), bind("/mine", "/etc/hosts"), bind("/top", "/a")] }),
      SURROUNDINGS,
    );
    expect(spec.mounts.map((mount) => mount.target)).toEqual([
      "/a",
      "/etc/hosts",
      "/etc/hostname",
      "/etc/resolv.conf",
      "/a/b",
    ]);
    expect(spec.mounts.find(({ target }) => target === "/etc/hosts")).toMatchObject({ source: "/mine" });
  });

  it("joins another container's namespaces through its process", () => {
    const { namespaces } = toSpec(
      someContainer({ hostConfig: someHostConfig({ PidMode: "container:x", IpcMode: "host" }) }),
      SURROUNDINGS,
    );
    expect(namespaces).toMatchObject({
      pid: { kind: "path", path: "/proc/42/ns/pid" },
      ipc: { kind: "host" },
      uts: { kind: "private" },
    });
  });

  it("leaves the shared memory out for an IPC namespace of `none`, and asks who may be joined", () => {
    const withIpc = (IpcMode: string) => someContainer({ hostConfig: someHostConfig({ IpcMode }) });
    expect(toSpec(withIpc("none"), SURROUNDINGS).namespaces.ipc).toEqual({ kind: "private", bare: true });
    const refusing = {
      ...SURROUNDINGS,
      ipcPidOf: () => {
        throw new Error("not shareable");
      },
    };
    expect(() => toSpec(withIpc("container:x"), refusing)).toThrow("not shareable");
  });

  it.each([
    [["seccomp=unconfined"], { seccomp: { kind: "unconfined" }, noNewPrivileges: false }],
    [["no-new-privileges"], { seccomp: { kind: "default" }, noNewPrivileges: true }],
    [["no-new-privileges:false"], { noNewPrivileges: false }],
    [['seccomp={"a":1}'], { seccomp: { kind: "profile", json: '{"a":1}' } }],
  ])("reads --security-opt %j", (SecurityOpt, expected) => {
    expect(toSpec(someContainer({ hostConfig: someHostConfig({ SecurityOpt }) }), SURROUNDINGS)).toMatchObject(
      expected,
    );
  });

  it("removes all restrictions for a privileged container but a seccomp profile of its own", () => {
    expect(toSpec(someContainer({ hostConfig: someHostConfig({ Privileged: true }) }), SURROUNDINGS)).toMatchObject({
      maskedPaths: [],
      readonlyPaths: [],
      seccomp: { kind: "unconfined" },
    });
    const own = someHostConfig({ Privileged: true, SecurityOpt: ['seccomp={"a":1}'] });
    expect(toSpec(someContainer({ hostConfig: own }), SURROUNDINGS).seccomp).toEqual({
      kind: "profile",
      json: '{"a":1}',
    });
  });

  it("rotates the log by Docker's options", () => {
    const LogConfig = { Type: "json-file", Config: { "max-size": "10m", "max-file": "3" } };
    expect(toSpec(someContainer({ hostConfig: someHostConfig({ LogConfig }) }), SURROUNDINGS).log).toEqual({
      maxBytes: 10 * 1024 * 1024,
      maxFiles: 3,
    });
  });

  it("rotates the logs of users' containers that do not say how, and no administrator's", () => {
    const userLogs = { maxBytes: 10 * 2 ** 20, maxFiles: 3 };
    const logOf = (owner: string | undefined, Config: Record<string, string> = {}) =>
      toSpec(someContainer({ owner, hostConfig: someHostConfig({ LogConfig: { Type: "json-file", Config } }) }), {
        ...SURROUNDINGS,
        userLogs,
      }).log;
    expect(logOf("7")).toEqual(userLogs);
    expect(logOf("7", { "max-size": "1m" })).toEqual({ maxBytes: 2 ** 20, maxFiles: 1 });
    expect(logOf(undefined)).toEqual({ maxBytes: undefined, maxFiles: 1 });
  });

  it("rejects an empty command", () => {
    expect(() => toSpec(someContainer({ config: someConfig() }), SURROUNDINGS)).toThrow("No command specified");
  });
});

describe("environmentOf", () => {
  it("puts Docker's variables first, lets the container's override them, and drops a variable without a value", () => {
    const config = someConfig({ Hostname: "h", Tty: true, Env: ["PATH=/mine", "A=1", "TERM"] });
    expect(environmentOf({ config })).toEqual(["HOSTNAME=h", "PATH=/mine", "A=1"]);
  });
});

describe("specResources", () => {
  it("treats Docker's zeros as unset, converts CPUs to a quota, and doubles memory for swap", () => {
    expect(specResources(someHostConfig())).toEqual({});
    expect(specResources(someHostConfig({ NanoCpus: 1_500_000_000 }))).toEqual({
      cpuQuota: 150_000,
      cpuPeriod: 100_000,
    });
    expect(specResources(someHostConfig({ Memory: 1024 }))).toEqual({ memory: 1024, memorySwap: 2048 });
    expect(specResources(someHostConfig({ Memory: 1024, MemorySwap: -1 }))).toEqual({ memory: 1024, memorySwap: -1 });
    expect(specResources(someHostConfig({ PidsLimit: -1 }))).toEqual({});
    expect(specResources(someHostConfig({ CpuRealtimeRuntime: 500, CpuRealtimePeriod: 1000 }))).toEqual({
      cpuRealtimeRuntime: 500,
      cpuRealtimePeriod: 1000,
    });
  });
});
