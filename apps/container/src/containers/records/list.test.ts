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
  ["exited", "nope", "Invalid filter 'exited=nope'"],
  ["is-task", "nope", "Invalid filter 'is-task=[nope]'"],
  ["status", "nope", "Invalid filter 'status=nope'"],
  ["health", "nope", "Unrecognised filter value for health: nope"],
  ["expose", "nope", "Invalid filter 'expose=nope': want port"],
  ["publish", "nope", "Invalid filter 'publish=nope': want port"],
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
    `Invalid filter '${key}'`,
  );
});
