import { expect, it } from "vitest";
import type { ContainerView } from "../containers.ts";
import { someContainer } from "./container.testing.ts";
import { listContainers } from "./list.ts";

function view(): ContainerView {
  return {
    container: someContainer(),
    assignments: [],
    endpoints: {},
    imageName: "busybox",
    execIds: [],
    logPath: "",
    hostsPath: "",
    hostnamePath: "",
    resolvConfPath: "",
  };
}

it.each([
  ["exited", "nope", "invalid filter 'exited=nope'"],
  ["is-task", "nope", "invalid filter 'is-task=[nope]'"],
  ["status", "nope", "invalid filter 'status=nope'"],
  ["health", "nope", "invalid filter 'health=nope'"],
  ["expose", "nope", "invalid filter 'expose=nope': want port"],
  ["publish", "nope", "invalid filter 'publish=nope': want port"],
])("rejects the value of %s=%s", (key, value, message) => {
  const query = { all: true, limit: undefined, size: false, filters: new Map([[key, [value]]]) };
  expect(() => listContainers([someContainer()], query, view, () => someContainer())).toThrow(message);
});

function listed(name: string, filters: ReadonlyMap<string, readonly string[]>) {
  const container = someContainer({ name });
  const query = { all: true, limit: undefined, size: false, filters };
  return listContainers(
    [container],
    query,
    () => ({ ...view(), container }),
    () => container,
  ).length;
}

it.each([
  ["web-1", "web", 1],
  ["web-1", "^/web", 1],
  ["web-1", "^web-[0-9]$", 1],
  ["web-1", "^eb", 0],
])("finds %s by name=%s: %i", (name, pattern, count) =>
  expect(listed(name, new Map([["name", [pattern]]]))).toBe(count),
);

it.each(["nope", "__proto__", "constructor", "toString"])("refuses the filter %s", (key) => {
  const query = { all: true, limit: undefined, size: false, filters: new Map([[key, ["x"]]]) };
  expect(() => listContainers([someContainer()], query, view, () => someContainer())).toThrow(
    `invalid filter '${key}'`,
  );
});
