import type { Socket } from "node:net";
import type { Hono } from "hono";
import { EngineError } from "../../engine/errors.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";
import { hijack, isUpgraded } from "../http/hijack.ts";
import { buildRecorder } from "../http/record-calls.ts";

/** Takes the request's connection for HTTP/2, as dockerd does. Throws `invalid` where the client did not ask for that. */
async function upgrade(context: EdgeContext, open: () => Promise<(client: Socket) => void>): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const protocol = context.req.header("upgrade") ?? "";
  if (protocol === "") throw new EngineError("invalid", "no upgrade proto in request");
  if (protocol !== "h2c") throw new EngineError("invalid", `protocol ${protocol} not supported`);
  if (incoming === undefined || outgoing === undefined || !isUpgraded(incoming))
    throw new EngineError("invalid", "want an upgrade of the connection");
  const serve = await open();
  serve(hijack({ incoming, outgoing }, {}, "h2c"));
  return context.body(null, 200, { "x-hono-already-sent": "true" });
}

/** BuildKit's API: gRPC over upgraded connections. */
export function buildKitRoutes(app: Hono<Edge>, { buildKit, actions }: Pick<Deps, "buildKit" | "actions">): void {
  app.post("/grpc", (context) => {
    const note = buildRecorder(context, { actions });
    return upgrade(context, () => buildKit.openControl(context.get("actor"), context.get("endUnless"), note));
  });
  app.post("/session", (context) =>
    upgrade(context, () =>
      buildKit.openSession(context.get("actor"), context.get("endUnless"), context.env.incoming?.rawHeaders ?? []),
    ),
  );
}
