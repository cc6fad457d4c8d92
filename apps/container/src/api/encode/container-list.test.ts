import { expect, it } from "vitest";
import { RUNNING } from "../routes/app.testing.ts";
import { listShape, listText } from "./container-list.ts";

const LATER = Date.parse("2030-01-01T00:00:00Z");

it("writes the text of an entry as its shape, whatever changes between two lists", () => {
  const { container, endpoints } = RUNNING;
  const [name = "", endpoint] = Object.entries(endpoints)[0] ?? [];
  if (endpoint === undefined) throw new Error("the container has no endpoint");
  const views = [
    RUNNING,
    { ...RUNNING, endpoints: { [name]: { ...endpoint } } },
    { ...RUNNING, endpoints: { [name]: { ...endpoint, address: "172.17.0.99" } } },
    { ...RUNNING, assignments: [{ hostIp: "0.0.0.0", hostPort: 9090, containerPort: 80, protocol: "tcp" as const }] },
    { ...RUNNING, imageName: container.imageId },
    { ...RUNNING, linkNames: ["web/db"] },
    { ...RUNNING, size: { writable: 1, total: 2 } },
    { ...RUNNING, container: { ...container, name: "renamed" } },
    { ...RUNNING, container: { ...container, config: { ...container.config, Labels: { Status: "label" } } } },
  ];
  for (const view of [...views, ...views.toReversed()])
    for (const version of [41, 51])
      for (const now of [LATER, LATER + 3_600_000])
        expect(JSON.parse(listText(view, now, version))).toEqual(
          JSON.parse(JSON.stringify(listShape(view, now, version))),
        );
});
