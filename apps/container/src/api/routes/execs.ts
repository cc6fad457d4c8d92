import { PassThrough, pipeline } from "node:stream";
import type { Hono } from "hono";
import type { Exec, ExecStart } from "../../containers/containers.ts";
import type { ExecSession, TerminalSize } from "../../containers/records/runtime.ts";
import { orEnd } from "../../engine/concurrency/or-end.ts";
import { isEngineError } from "../../engine/errors.ts";
import { execBody, execStartBody, requireExecCommand } from "../decode/exec-body.ts";
import { execShape } from "../encode/exec-shape.ts";
import { readJson } from "../go-json/json-body.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";
import type { Session } from "../http/pump.ts";
import { encodeOutput } from "../http/raw-stream.ts";
import { answerSession, detachFilter } from "../http/session.ts";
import { SINCE } from "../versions/changes.ts";
import { terminalSize } from "./streams.ts";

/** The streams that the exec request attaches. */
async function* attached(exec: Exec, output: ExecSession["output"]): ExecSession["output"] {
  const { attachStdout, attachStderr, tty } = exec.request;
  for await (const chunks of output)
    yield chunks.filter(({ stream }) => tty || (stream === "stdout" ? attachStdout : attachStderr));
}

/** Ends when the process ends, not with its last byte: clients request the exit code right afterwards. */
async function* untilExit({ output, exit }: ExecSession): ExecSession["output"] {
  yield* output;
  await exit;
}

/** Ends when the client disconnects, but drains the output, since a full pipe would block the process. */
async function* untilLeft(output: ExecSession["output"], left: Promise<void>): ExecSession["output"] {
  const chunks = output[Symbol.asyncIterator]();
  const orLeft = orEnd(left);
  try {
    for (;;) {
      const step = await orLeft(chunks.next());
      if (step === undefined || step.done) return;
      yield step.value;
    }
  } finally {
    void drain(chunks);
  }
}

async function drain(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await chunks.next()).done);
  } catch {
    // Nobody reads it any more.
  }
}

/** The session of an exec that starts when its output is first read. */
function laterSession(exec: Exec, begin: ExecStart["begin"], options: { readonly terminal: boolean }): Session {
  const stdin = exec.request.attachStdin ? new PassThrough() : undefined;
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  async function* output(): ExecSession["output"] {
    let started: ExecSession;
    try {
      started = await begin();
    } catch (thrown) {
      if (!isEngineError(thrown)) throw thrown;
      // Report a command that cannot run in the stream, where clients expect it; `exec inspect` has the exit code.
      yield [{ stream: "stdout", data: Buffer.from(`${thrown.message}\r\n`) }];
      return;
    }
    if (stdin !== undefined && started.stdin !== undefined) pipeline(stdin, started.stdin, () => undefined);
    yield* attached(exec, untilLeft(untilExit(started), left));
  }
  return {
    output: encodeOutput(output(), options),
    stdin,
    filter: detachFilter(exec.request.detachKeys, { ...options, detach: leave }),
    close: leave,
  };
}

/** The terminal's size, which older versions ignore. */
function sizeOf(context: EdgeContext, size: TerminalSize | undefined): { readonly size?: TerminalSize } {
  return size === undefined || context.get("version") < SINCE.consoleSize ? {} : { size };
}

/** Execs: additional processes in a running container. */
export function execRoutes(app: Hono<Edge>, deps: Deps): void {
  const { containers } = deps;

  app.post("/containers/:id/exec", async (context) => {
    const { size, ...asked } = await readJson(context, execBody);
    const request = { ...asked, ...sizeOf(context, size) };
    requireExecCommand(request);
    detachFilter(request.detachKeys, { terminal: false, detach: () => undefined });
    const id = await containers.createExec(context.get("actor"), context.req.param("id"), request);
    return context.json({ Id: id }, 201);
  });

  app.get("/exec/:id/json", async (context) =>
    context.json(execShape(await containers.getExec(context.get("actor"), context.req.param("id")))),
  );

  app.post("/exec/:id/resize", async (context) => {
    await containers.resizeExec(context.get("actor"), context.req.param("id"), terminalSize(context.req.query()));
    return context.body(null, 200);
  });

  app.post("/exec/:id/start", async (context) => {
    const { Detach: detach, Tty: tty, ConsoleSize } = await readJson(context, execStartBody);
    const id = context.req.param("id");
    const exec = await containers.getExec(context.get("actor"), id);
    const options = { detach, tty, ...sizeOf(context, tty ? ConsoleSize : undefined) };
    const { begin } = await containers.startExec(context.get("actor"), id, options);
    if (detach) {
      await begin();
      return context.body(null, 200);
    }
    context.get("endUnless")((actor) => containers.assertMayExec(actor, id));
    // Send the head before the process starts, as dockerd does: clients that buffer the head would lose output.
    return answerSession(context, deps, laterSession(exec, begin, { terminal: tty }), {
      terminal: tty,
      input: "socket",
    });
  });
}
