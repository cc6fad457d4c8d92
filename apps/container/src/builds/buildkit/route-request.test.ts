import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { NO_RESOURCES, requestOf } from "../build-request.testing.ts";
import { type RouteBuild, solveRequestOf } from "./route-request.ts";

const BUILD: RouteBuild = {
  ...requestOf({}),
  remote: "client-session",
  session: "s",
  outputs: [],
  body: Readable.from([]),
};

function request(asked: Partial<RouteBuild>, context = "") {
  return solveRequestOf({ ...BUILD, ...asked }, { ref: "r", session: "s", context });
}

test("a build of the route is one of the Dockerfile's frontend with the session's files", () =>
  expect(request({ tags: ["a:1", "b"] })).toEqual({
    Ref: "r",
    Session: "s",
    Frontend: "dockerfile.v0",
    FrontendAttrs: { "image-resolve-mode": "default" },
    Exporters: [{ Type: "moby", Attrs: { name: "a:1,b" } }],
  }));

test.each<[Partial<RouteBuild>, Readonly<Record<string, string>>]>([
  [
    { target: "x", dockerfile: "a/b" },
    { target: "x", filename: "a/b" },
  ],
  [{ args: { A: "b", C: null } }, { "build-arg:A": "b" }],
  [{ labels: { "a.b": "c" } }, { "label:a.b": "c" }],
  [
    { cache: "ignore", pull: "always" },
    { "no-cache": "", "image-resolve-mode": "pull" },
  ],
  [{ platform: "linux/arm64" }, { platform: "linux/arm64" }],
  [{ networkMode: "none" }, { "force-network-mode": "none" }],
  [{ cacheFrom: ["a", "b:1"] }, { "cache-from": "a,b:1" }],
  [{ extraHosts: ["db:10.1.2.3", "v6=fe80::1"] }, { "add-hosts": "db=10.1.2.3,v6=fe80::1" }],
  [{ resources: { ...NO_RESOURCES, shmSize: 65536 } }, { "shm-size": "65536" }],
  [{ resources: { ...NO_RESOURCES, ulimits: [{ Name: "nofile", Soft: 1, Hard: 2 }] } }, { ulimit: "nofile=1:2" }],
])("%j becomes %j", (asked, attributes) => {
  expect(request(asked).FrontendAttrs).toEqual({ "image-resolve-mode": "default", ...attributes });
});

test("a context elsewhere, outputs, the inline cache and the host's network have their places", () => {
  expect(request({}, "http://x/y").FrontendAttrs?.context).toBe("http://x/y");
  const local = { type: "local", attributes: { a: "b" } };
  expect(request({ outputs: [local], tags: ["x"] }).Exporters).toEqual([{ Type: "local", Attrs: { a: "b" } }]);
  expect(request({ outputs: [{ type: "cacheonly", attributes: {} }] }).Exporters).toEqual([]);
  expect(request({ args: { BUILDKIT_INLINE_CACHE: "1" } }).Cache).toEqual({ Exports: [{ Type: "inline" }] });
  expect(request({ networkMode: "host" }).Entitlements).toEqual(["network.host"]);
});

test.each<[Partial<RouteBuild>, string]>([
  [{ resources: { ...NO_RESOURCES, memory: 1 } }, "memory: BuildKit's steps have the limits of the engine"],
  [{ resources: { ...NO_RESOURCES, cpusetCpus: "0" } }, "cpusetcpus"],
  [{ networkMode: "mine" }, 'network mode "mine" not supported by buildkit'],
  [{ extraHosts: ["db"] }, "bad format for add-host"],
  [{ extraHosts: ["db:host-gateway"] }, "name the address"],
  [
    {
      outputs: [
        { type: "local", attributes: {} },
        { type: "tar", attributes: {} },
      ],
    },
    "multiple outputs not supported",
  ],
])("%j is refused", (asked, message) => expect(() => request(asked)).toThrow(message));
