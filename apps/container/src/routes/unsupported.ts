import type { Hono } from "hono";
import { EngineError } from "../errors.ts";
import type { Deps, Edge } from "./edge.ts";

/** Routes that Berth answers with a clear no, and why. */
const refusals: readonly (readonly [paths: readonly string[], kind: "unsupported" | "unavailable", message: string])[] =
  [
    [
      ["/build", "/build/cancel", "/session", "/grpc"],
      "unsupported",
      "building images is not supported: build with another tool and push, load or import the image",
    ],
    [
      ["/swarm", "/swarm/*", "/services", "/services/*", "/nodes", "/nodes/*", "/tasks", "/tasks/*"],
      "unavailable",
      'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.',
    ],
    [
      ["/secrets", "/secrets/*", "/configs", "/configs/*"],
      "unavailable",
      'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.',
    ],
    [["/plugins/*"], "unsupported", "plugins are not supported"],
    [["/containers/:id/checkpoints", "/containers/:id/checkpoints/*"], "unsupported", "checkpoints are not supported"],
  ];

/** What other engines have and this one has not. */
export const unsupportedRoutes = (app: Hono<Edge>, _deps: Deps): void => {
  app.get("/plugins", (context) => context.json([]));
  // The CLI asks for one while it looks for what a name may be.
  app.get("/plugins/:name{.+}/json", (context) => {
    throw new EngineError("not-found", `plugin "${context.req.param("name")}" not found`);
  });
  app.post("/build/prune", (context) => context.json({ CachesDeleted: null, SpaceReclaimed: 0 }));
  for (const [paths, kind, message] of refusals) {
    for (const path of paths) {
      app.all(path, () => {
        throw new EngineError(kind, message);
      });
    }
  }
};
