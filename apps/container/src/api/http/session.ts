import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { detachOn, parseDetachKeys } from "../decode/detach-keys.ts";
import { SINCE } from "../versions/changes.ts";
import type { Deps, EdgeContext } from "./edge.ts";
import { engineHeaders } from "./engine-headers.ts";
import { hijack } from "./hijack.ts";
import { pump, type Session } from "./pump.ts";
import { MULTIPLEXED_STREAM_TYPE, RAW_STREAM_TYPE } from "./raw-stream.ts";
import { streamBody } from "./streaming.ts";

/** Since API 1.42 multiplexed streams have their own media type. */
export function streamType(context: EdgeContext, { terminal }: { readonly terminal: boolean }): string {
  return terminal || context.get("version") < SINCE.multiplexedContentType ? RAW_STREAM_TYPE : MULTIPLEXED_STREAM_TYPE;
}

/** The detach filter for a terminal's input; undefined without a terminal, where no key is special. */
export function detachFilter(
  keys: string,
  { terminal, detach }: { readonly terminal: boolean; readonly detach: () => void },
) {
  const sequence = parseDetachKeys(keys);
  return terminal ? detachOn(sequence, detach) : undefined;
}

/**
 * Some clients (docker-py) read the head through a buffer and then the bare socket. They would lose output that arrives in one piece
 * with the head.
 */
const HEAD_START_MS = 5;

/** Begins the output at once, and gives the first of it once the head had its start. */
async function* behindHead(output: Session["output"]): Session["output"] {
  const chunks = output[Symbol.asyncIterator]();
  try {
    let [step] = await Promise.all([chunks.next(), delay(HEAD_START_MS)]);
    for (; !step.done; step = await chunks.next()) yield step.value;
  } finally {
    await chunks.return?.();
  }
}

/** Whether the request streams a body: then the body is the input, and the connection stays HTTP. */
function streamsBody(request: Request): boolean {
  return request.headers.has("transfer-encoding");
}

/**
 * Responds with a session. On a real socket it takes over the connection, with `101` if the client asked for an upgrade. A request that
 * sends its input as its body (`attach` of clients that cannot upgrade), or that has no socket, gets the output as an ordinary response.
 */
export function answerSession(
  context: EdgeContext,
  { host, log }: Pick<Deps, "host" | "log">,
  session: Session,
  { terminal, input }: { readonly terminal: boolean; readonly input: "socket" | "body" },
): Response {
  const { incoming, outgoing } = context.env;
  // Without an upgrade dockerd names the raw stream, whatever is in it.
  const upgraded = context.req.header("upgrade") !== undefined;
  const contentType = upgraded ? streamType(context, { terminal }) : RAW_STREAM_TYPE;
  if (incoming !== undefined && outgoing !== undefined && (input === "socket" || !streamsBody(context.req.raw))) {
    const socket = hijack(
      { incoming, outgoing },
      { "Content-Type": contentType, ...engineHeaders(host.facts.berthVersion) },
    );
    pump(socket, { ...session, output: behindHead(session.output) }).catch((fault: unknown) => {
      log.error({ err: fault, path: context.req.path }, "stream failed");
      socket.destroy();
    });
    return context.body(null, 200, { "x-hono-already-sent": "true" });
  }
  const gone = new AbortController();
  gone.signal.addEventListener("abort", session.close, { once: true });
  if (session.stdin !== undefined && incoming !== undefined) feed(incoming, session);
  return context.body(streamBody(closing(session), gone), 200, { "Content-Type": contentType });
}

function feed(incoming: Readable, { stdin, filter }: Session): void {
  if (stdin === undefined) return;
  stdin.on("error", () => incoming.unpipe());
  if (filter === undefined) incoming.pipe(stdin);
  else incoming.pipe(filter).pipe(stdin);
}

async function* closing({ output, close }: Session): AsyncGenerator<Uint8Array> {
  try {
    yield* output;
  } finally {
    close();
  }
}
