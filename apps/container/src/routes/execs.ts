import { PassThrough, pipeline } from "node:stream";
import type { Hono } from "hono";
import type { Exec, ExecStart } from "../containers/containers.ts";
import type { ExecSession } from "../containers/runtime.ts";
import { isEngineError } from "../errors.ts";
import { execBody, execStartBody, requireExecCommand } from "../wire/exec-body.ts";
import { execShape } from "../wire/exec-shape.ts";
import { readJson } from "../wire/json-body.ts";
import type { Session } from "../wire/pump.ts";
import { encodeOutput } from "../wire/raw-stream.ts";
import type { Deps, Edge } from "./edge.ts";
import { answerSession, detachFilter } from "./session.ts";
import { terminalSize } from "./streams.ts";

/** The streams that the exec was created to attach. */
async function* attached(exec: Exec, output: ExecSession["output"]): ExecSession["output"] {
  const { attachStdout, attachStderr, tty } = exec.request;
  for await (const chunk of output) {
    if (tty || (chunk.stream === "stdout" ? attachStdout : attachStderr)) yield chunk;
  }
}

/** Ends once the process has, not with its last byte: clients ask for the exit code right after. Who left waits for nothing. */
async function* untilExit({ output, exit }: ExecSession, left: Promise<void>): ExecSession["output"] {
  yield* output;
  await Promise.race([exit, left]);
}

/** The session of an exec that begins when its output is first asked for. */
const laterSession = (exec: Exec, begin: ExecStart["begin"], options: { readonly terminal: boolean }): Session => {
  const stdin = exec.request.attachStdin ? new PassThrough() : undefined;
  let started: ExecSession | undefined;
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const detach = (): void => {
    leave();
    started?.detach();
  };
  async function* output(): ExecSession["output"] {
    try {
      started = await begin();
    } catch (thrown) {
      if (!isEngineError(thrown)) throw thrown;
      // A command that cannot run is told in the stream, where clients look for it; `exec inspect` has its exit code.
      yield { stream: "stdout", data: Buffer.from(`${thrown.message}\r\n`) };
      return;
    }
    void left.then(started.detach);
    if (stdin !== undefined && started.stdin !== undefined) pipeline(stdin, started.stdin, () => undefined);
    yield* attached(exec, untilExit(started, left));
  }
  return {
    output: encodeOutput(output(), options),
    stdin,
    filter: detachFilter(exec.request.detachKeys, { ...options, detach }),
    close: detach,
  };
};

/** Execs: a further process in a running container. */
export const execRoutes = (app: Hono<Edge>, deps: Deps): void => {
  const { containers } = deps;

  app.post("/containers/:id/exec", async (context) => {
    const request = await readJson(context.req.raw, execBody);
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
    const { Detach: detach, Tty: tty, ConsoleSize } = await readJson(context.req.raw, execStartBody);
    const id = context.req.param("id");
    const [height, width] = ConsoleSize ?? [];
    const size = height === undefined || width === undefined ? {} : { size: { height, width } };
    const exec = await containers.getExec(context.get("actor"), id);
    const { begin } = await containers.startExec(context.get("actor"), id, { detach, tty, ...size });
    if (detach) {
      await begin();
      return context.body(null, 200);
    }
    // The head goes before the process begins, as at dockerd: clients that read on behind a buffered head lose no output.
    return answerSession(context, deps, laterSession(exec, begin, { terminal: tty }), {
      terminal: tty,
      input: "socket",
    });
  });
};
