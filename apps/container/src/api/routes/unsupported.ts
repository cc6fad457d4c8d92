import type { Hono } from "hono";
import { EngineError } from "../../engine/errors.ts";
import { NO_SWARM } from "../decode/network-body.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";

/** Routes that Berth rejects, with the reason; the first match applies. */
const REFUSALS: readonly (readonly [paths: readonly string[], kind: "unsupported" | "no-swarm", message: string])[] = [
  [["/swarm/leave"], "no-swarm", "This node is not part of a swarm"],
  // Docker's words for the others would lead here again.
  [["/swarm/init", "/swarm/join"], "no-swarm", "Berth has no swarm: it runs the containers of one machine"],
  [
    ["swarm", "services", "nodes", "tasks", "secrets", "configs"].flatMap((name) => [`/${name}`, `/${name}/*`]),
    "no-swarm",
    NO_SWARM,
  ],
  [["/plugins/*"], "unsupported", "plugins are not supported"],
  [["/containers/:id/checkpoints", "/containers/:id/checkpoints/*"], "unsupported", "checkpoints are not supported"],
];

/** Features of other engines that Berth does not have. */
export function unsupportedRoutes(app: Hono<Edge>, _deps: Deps): void {
  app.get("/plugins", (context) => context.json([]));
  // The CLI requests one while it resolves what a name refers to.
  const absent = (context: EdgeContext): never => {
    throw new EngineError("not-found", `plugin "${context.req.param("name")}" not found`);
  };
  app.get("/plugins/:name{.+}/json", absent);
  for (const action of ["enable", "disable", "set", "push"]) app.post(`/plugins/:name{.+}/${action}`, absent);
  app.delete("/plugins/:name{.+}", absent);
  for (const [paths, kind, message] of REFUSALS) {
    for (const path of paths) {
      app.all(path, () => {
        throw new EngineError(kind, message);
      });
    }
  }
}
