import { expect, it } from "vitest";
import { someContainer } from "./container.testing.ts";
import type { ContainerView } from "./containers.ts";
import { listContainers } from "./list-containers.ts";

const view = (): ContainerView => ({
  container: someContainer(),
  assignments: [],
  endpoints: {},
  imageName: "busybox",
  execIds: [],
  logPath: "",
  hostsPath: "",
  hostnamePath: "",
  resolvConfPath: "",
});

it.each(["nope", "__proto__", "constructor", "toString"])("refuses the filter %s", (key) => {
  const query = { all: true, limit: undefined, size: false, filters: new Map([[key, ["x"]]]) };
  expect(() => listContainers([someContainer()], query, view, () => someContainer())).toThrow(
    `Invalid filter '${key}'`,
  );
});
