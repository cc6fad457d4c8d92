import type { Hono } from "hono";
import { z } from "zod";
import type { AttachOptions } from "../../containers/containers.ts";
import { EngineError } from "../../engine/errors.ts";
import { flag, parseQuery, text } from "../decode/query.ts";
import { readBody } from "../go-json/json-body.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";
import type { Session } from "../http/pump.ts";
import { encodeOutput } from "../http/raw-stream.ts";
import { answerSession, detachFilter } from "../http/session.ts";
import { pumpWebSocket, requireWebSocket } from "../http/web-socket.ts";
import { SINCE } from "../versions/changes.ts";

const attachQuery = z.object({
  stdin: flag(),
  stdout: flag(),
  stderr: flag(),
  logs: flag(),
  stream: flag(),
  detachKeys: text(),
});

/** Attaches to the container; the detach keys filter the input. `framed` frames output without a terminal. */
async function openSession(
  context: EdgeContext,
  { containers }: Deps,
  wanted: AttachOptions,
  { detachKeys, framed }: { readonly detachKeys: string; readonly framed: boolean },
): Promise<{ readonly session: Session; readonly terminal: boolean }> {
  const attachment = await containers.attach(context.get("actor"), context.req.param("id") ?? "", wanted);
  const { terminal, stdin } = attachment;
  const id = context.req.param("id") ?? "";
  context.get("endUnless")((actor) => containers.assertMayAttach(actor, id));
  try {
    const filter = detachFilter(detachKeys, { terminal, detach: () => attachment.close() });
    const output = encodeOutput(attachment.output, { terminal: terminal || !framed });
    return { session: { output, stdin, filter, close: () => attachment.close() }, terminal };
  } catch (thrown) {
    attachment.close();
    throw thrown;
  }
}

/** `attach`, over the connection itself or a WebSocket. */
export function attachRoutes(app: Hono<Edge>, deps: Deps): void {
  app.post("/containers/:id/attach", async (context) => {
    const { detachKeys, ...wanted } = parseQuery(attachQuery, context.req.query());
    // Some clients repeat the query as a body; bytes after it are input.
    if (context.req.header("content-length") !== undefined) await readBody(context);
    const { session, terminal } = await openSession(context, deps, wanted, { detachKeys, framed: true });
    return answerSession(context, deps, session, { terminal, input: "body" });
  });

  app.get("/containers/:id/attach/ws", async (context) => {
    const { detachKeys, ...asked } = parseQuery(attachQuery, context.req.query());
    const { incoming, outgoing } = context.env;
    if (incoming === undefined || outgoing === undefined)
      throw new EngineError("invalid", "a WebSocket needs a connection");
    // As at dockerd, a container that is not there is told first.
    deps.containers.assertMayAttach(context.get("actor"), context.req.param("id"));
    requireWebSocket(context.req.raw.headers, { incoming });
    const version = context.get("version");
    const wanted = version >= SINCE.webSocketStreams ? asked : { ...asked, stdin: true, stdout: true, stderr: true };
    const { session } = await openSession(context, deps, wanted, { detachKeys, framed: false });
    const frames = version >= SINCE.binaryWebSocket ? "binary" : "text";
    pumpWebSocket({ incoming, outgoing }, session, { frames }).catch((fault: unknown) => {
      deps.log.error({ err: fault, path: context.req.path }, "stream failed");
      incoming.socket.destroy();
    });
    return context.body(null, 200, { "x-hono-already-sent": "true" });
  });
}
