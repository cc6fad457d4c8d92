import { expect, it } from "vitest";
import { createVolumes } from "./volume-service.ts";

it.each(["nope", "__proto__", "toString"])("refuses the filter %s", async (key) => {
  const volumes = await createVolumes(
    { load: async () => [], insert: async () => undefined, delete: async () => undefined },
    { path: (name) => name, make: async () => undefined, remove: async () => undefined, size: async () => 0 },
    { events: { emit: () => undefined }, now: () => "2026-01-01T00:00:00Z" },
  );
  await volumes.create({ name: "one", anonymous: true, owner: undefined, driver: "", options: {}, labels: {} });
  const filters = new Map([[key, ["x"]]]);
  await expect(volumes.prune(filters, new Set(), { anonymousOnly: false })).rejects.toThrow(`Invalid filter '${key}'`);
  expect(volumes.find("one")).toBeDefined();
});
