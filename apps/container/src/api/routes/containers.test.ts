import { describe, expect, it } from "vitest";
import type { Containers } from "../../containers/containers.ts";
import { ALL_LIMITS } from "../../containers/create/discard-limits.ts";
import { MASKED_PATHS, READONLY_PATHS } from "../../containers/records/masked-paths.ts";
import { EngineError } from "../../engine/errors.ts";
import type { Limit } from "../../engine/host-defaults.ts";
import { appWith, containerId, RUNNING, withState } from "./app.testing.ts";

/** Notes each call of the methods that a test names, and answers it. */
function recording(answers: { [Method in keyof Containers]?: unknown }, limits: ReadonlySet<Limit> = ALL_LIMITS) {
  const calls: unknown[][] = [];
  const methods = Object.fromEntries(
    Object.entries(answers).map(([method, answer]) => [
      method,
      async (_actor: unknown, ...rest: unknown[]) => {
        calls.push([method, ...rest]);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    ]),
  );
  return { ...appWith({ containers: methods as Partial<Containers>, limits }), calls };
}

describe("container life cycle", () => {
  it.each([
    ["POST", "/containers/a/stop", "stop", "changed", 204, ["a", {}]],
    ["POST", "/containers/a/stop?t=0", "stop", "unchanged", 304, ["a", { timeoutSeconds: 0 }]],
    ["POST", "/v1.41/containers/a/stop?t=-1&signal=INT", "stop", "changed", 204, ["a", { timeoutSeconds: -1 }]],
    ["POST", "/containers/a/stop?signal=INT", "stop", "changed", 204, ["a", { signal: "INT" }]],
    ["POST", "/containers/a/restart?t=3", "restart", undefined, 204, ["a", { timeoutSeconds: 3 }]],
    ["POST", "/containers/a/kill", "kill", undefined, 204, ["a", ""]],
    ["POST", "/containers/a/kill?signal=HUP", "kill", undefined, 204, ["a", "HUP"]],
    ["POST", "/containers/a/pause", "pause", undefined, 204, ["a"]],
    ["POST", "/containers/a/unpause", "unpause", undefined, 204, ["a"]],
    ["POST", "/containers/a/rename?name=b", "rename", undefined, 204, ["a", "b"]],
    ["POST", "/containers/a/resize?h=3&w=4", "resize", undefined, 200, ["a", { height: 3, width: 4 }]],
    [
      "DELETE",
      "/containers/a?force=True&v=1&link=False",
      "remove",
      undefined,
      204,
      ["a", { force: true, volumes: true }],
    ],
    ["POST", "/containers/a%2Fb/pause", "pause", undefined, 204, ["a/b"]],
  ] as const)("%s %s", async (method, target, useCase, answer, status, args) => {
    const { request, calls } = recording({ [useCase]: answer });
    const response = await request(method, target);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
    expect(calls).toEqual([[useCase, ...args]]);
  });

  it.each([
    ["POST", "/containers/a/stop?t=abc", "query parameter t"],
    ["POST", "/containers/a/resize?h=3", 'invalid resize width "": invalid syntax'],
    ["POST", "/containers/a/resize?w=3", 'invalid resize height "": invalid syntax'],
    ["POST", "/containers/a/resize?h=%2B3&w=3", 'invalid resize height "+3": invalid syntax'],
    ["POST", "/containers/a/resize?h=-1&w=3", 'invalid resize height "-1": value out of range'],
    ["POST", "/containers/a/resize?h=3&w=4294967296", 'invalid resize width "4294967296": value out of range'],
    ["GET", "/containers/a/logs", "Bad parameters: you must choose at least one stream"],
    ["GET", "/containers/json?limit=x", "query parameter limit"],
    ["GET", '/containers/json?filters={"name":"a"}', "cannot unmarshal string into Go value of type map[string]bool"],
    ["DELETE", "/containers/json", "Cannot"],
  ])("%s %s is the client's fault", async (method, target, message) => {
    const { request } = recording({ remove: new EngineError("invalid", "Cannot") });
    const response = await request(method, target);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: expect.stringContaining(message) });
  });

  it("removes a link by name, and the container only if no link is named", async () => {
    const { request, calls } = recording({ remove: undefined, unlink: undefined });
    expect((await request("DELETE", "/containers/a/alias?link=true")).status).toBe(204);
    expect((await request("DELETE", "/containers/a")).status).toBe(204);
    expect(calls.map(([name, ref]) => [name, ref])).toEqual([
      ["unlink", "a/alias"],
      ["remove", "a"],
    ]);
  });
});

describe("create", () => {
  const created = { id: containerId, warnings: [] };

  it("returns the id", async () => {
    const { request, calls } = recording({ create: created });
    const response = await request("POST", "/containers/create?name=x&platform=linux/amd64&Image=junk", {
      Image: "busybox",
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ Id: containerId, Warnings: [] });
    expect(calls[0]?.[1]).toMatchObject({ name: "x", platform: "linux/amd64", config: { Image: "busybox" } });
  });

  it.each([
    ["", 400, "EOF"],
    ["{", 400, "invalid JSON"],
    ['{"Image":"a"} x', 400, "unexpected content after JSON"],
    ['{"Image":1}', 400, "cannot unmarshal number into Go struct field ContainerConfigWrapper.Image of type string"],
    ["null", 400, "config cannot be empty in order to create a container"],
    ["{}", 400, "config cannot be empty in order to create a container"],
    [" ".repeat(8 * 1024 * 1024 + 1), 413, "larger than"],
  ])("rejects %.30s", async (body, status, message) => {
    const { request, calls } = recording({ create: created });
    const response = await request("POST", "/containers/create", body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: expect.stringContaining(message) });
    expect(calls).toEqual([]);
  });

  it("rejects a body without a content type", async () => {
    const { app } = recording({ create: created });
    const response = await app.request(
      "/containers/create",
      { method: "POST", body: '{"Image":"a"}', headers: { "content-type": "text/plain" } },
      { listener: { kind: "unix", path: "", actor: { kind: "administrator", id: undefined, login: "" } } },
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      message: "unsupported Content-Type header (text/plain): must be 'application/json'",
    });
  });
});

describe("start", () => {
  const started = { changed: "changed", warnings: [] };
  it.each([
    ["/containers/a/start", undefined, 204, {}],
    ["/containers/a/start", "{}", 204, {}],
    [
      "/v1.9/containers/a/start",
      '{"PortBindings":{}}',
      204,
      { legacy: { apiVersion: "1.9", body: { PortBindings: {} } } },
    ],
    ["/v1.23/containers/a/start", '{"Binds":[]}', 204, { legacy: { apiVersion: "1.23", body: { Binds: [] } } }],
  ])("%s with %s", async (target, body, status, options) => {
    const { request, calls } = recording({ start: started });
    expect((await request("POST", target, body)).status).toBe(status);
    expect(calls).toEqual([["start", "a", options]]);
  });

  it("rejects a body since API 1.24", async () => {
    const { request, calls } = recording({ start: started });
    const response = await request("POST", "/v1.24/containers/a/start", '{"PortBindings":{}}');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      message: "starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24",
    });
    expect(calls).toEqual([]);
  });

  it("sends warnings in a header and 304 for an unchanged container", async () => {
    const { request } = recording({ start: { changed: "unchanged", warnings: ["old"] } });
    const response = await request("POST", "/v1.23/containers/a/start");
    expect(response.status).toBe(304);
    expect(response.headers.get("warning")).toBe('299 - "old"');
    expect((await request("POST", "/v1.12/containers/a/start")).status).toBe(204);
  });
});

describe("update", () => {
  it("passes on only the fields of the body", async () => {
    const { request, calls } = recording({ update: { warnings: [] } });
    const response = await request("POST", "/containers/a/update", {
      CpuShares: 10,
      Memory: 0,
      PidsLimit: -1,
      RestartPolicy: { Name: "always" },
    });
    expect(await response.json()).toEqual({ Warnings: null });
    expect(calls).toEqual([
      ["update", "a", { CpuShares: 10, PidsLimit: 0, RestartPolicy: { Name: "always", MaximumRetryCount: 0 } }],
    ]);
  });

  it("warns about limits that the host does not support and leaves them unchanged", async () => {
    const { request, calls } = recording({ update: { warnings: ["more"] } }, new Set(["cpu-shares"]));
    const response = await request("POST", "/containers/a/update", { BlkioWeight: 5, PidsLimit: 10, CpuShares: 7 });
    expect(await response.json()).toEqual({
      Warnings: [
        "Your kernel does not support PIDs limit capabilities or the cgroup is not mounted. PIDs limit discarded.",
        "Your kernel does not support Block I/O weight or the cgroup is not mounted. Weight discarded.",
        "more",
      ],
    });
    expect(calls).toEqual([["update", "a", { CpuShares: 7 }]]);
  });

  it.each([
    [{ Memory: 1 }, "Minimum memory limit allowed is 6MB"],
    [{ RestartPolicy: { Name: "x" } }, "invalid restart policy: unknown policy 'x'"],
    [{ NanoCpus: 9e9 }, "range of CPUs is from 0.01 to 2.00"],
  ])("rejects %j", async (body, message) => {
    const { request } = recording({ update: { warnings: [] } });
    const response = await request("POST", "/containers/a/update", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: expect.stringContaining(message) });
  });
});

describe("list and inspect", () => {
  it("passes limit, filters and legacy bounds to the list", async () => {
    const { request, calls } = recording({ list: [RUNNING] });
    const target = '/containers/json?limit=-1&all=0&size=0&trunc_cmd=0&before=b&filters={"label":["x"]}';
    expect((await request("GET", target)).status).toBe(200);
    expect(calls[0]?.[1]).toEqual({
      all: false,
      limit: undefined,
      size: false,
      filters: new Map([
        ["before", ["b"]],
        ["label", ["x"]],
      ]),
    });
  });

  it("shapes a list entry", async () => {
    const { request } = recording({ list: [RUNNING] });
    expect(await (await request("GET", "/containers/json")).json()).toMatchObject([
      {
        Id: containerId,
        Names: ["/web"],
        Image: "busybox",
        ImageID: `sha256:${"a".repeat(64)}`,
        Command: "sleep '1 2'",
        Created: 1767323045,
        Ports: [
          { IP: "0.0.0.0", PrivatePort: 80, PublicPort: 8080, Type: "tcp" },
          { PrivatePort: 81, Type: "udp" },
        ],
        Labels: {},
        State: "running",
        Status: expect.stringMatching(/^Up /),
        HostConfig: { NetworkMode: "bridge" },
        NetworkSettings: { Networks: { bridge: { IPAddress: "172.17.0.2", IPPrefixLen: 16 } } },
        Mounts: [{ Type: "bind", Source: "/a", Destination: "/b", Mode: "ro", RW: false, Propagation: "rprivate" }],
      },
    ]);
  });

  const inspect = async (view: unknown, version = "1.51") => {
    const { request } = recording({ get: view });
    return (await request("GET", `/v${version}/containers/a/json`)).json();
  };

  it("shapes a running container", async () => {
    expect(await inspect(RUNNING)).toMatchObject({
      Id: containerId,
      Created: "2026-01-02T03:04:05.000000006Z",
      Path: "sleep",
      Args: ["1 2"],
      Name: "/web",
      ExecIDs: null,
      State: { Status: "running", Running: true, Paused: false, Pid: 42, FinishedAt: "0001-01-01T00:00:00Z" },
      HostConfig: { PortBindings: null, MaskedPaths: MASKED_PATHS, ReadonlyPaths: READONLY_PATHS },
      NetworkSettings: {
        Bridge: "berth0",
        IPAddress: "172.17.0.2",
        IPPrefixLen: 16,
        Gateway: "172.17.0.1",
        Ports: { "80/tcp": [{ HostIp: "0.0.0.0", HostPort: "8080" }], "81/udp": null },
        Networks: { bridge: { NetworkID: "n".repeat(64), Aliases: null } },
      },
    });
  });

  it.each([
    ["1.51", { Ports: {}, PortMapping: null }, []],
    ["1.21", { Ports: {}, PortMapping: null }, []],
    ["1.20", { Ports: null, PortMapping: null }, ["Networks"]],
    ["1.6", { Ports: null, PortMapping: null }, ["Networks"]],
  ])("ports of a created container at API %s", async (version, settings, absent) => {
    const { NetworkSettings } = (await inspect(withState({ status: "created", pid: 0 }), version)) as {
      NetworkSettings: Record<string, unknown>;
    };
    expect(NetworkSettings).toMatchObject(settings);
    for (const key of absent) expect(NetworkSettings).not.toHaveProperty(key);
  });

  it("shows old clients volumes and legacy fields where they expect them", async () => {
    const old = (await inspect(RUNNING, "1.19")) as Record<string, unknown>;
    expect(old).toMatchObject({
      Volumes: { "/b": "/a" },
      VolumesRW: { "/b": false },
      Config: { Memory: 0, CpuShares: 0, Cpuset: "", VolumeDriver: "" },
    });
    expect(old).not.toHaveProperty("Mounts");
  });
});
