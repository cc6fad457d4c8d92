import { Writable } from "node:stream";
import type { Actor } from "../../engine/actor.ts";
import { iterate, opened } from "../../engine/concurrency/iterate.ts";
import { EngineError } from "../../engine/errors.ts";
import { assertExecAllowed } from "../../policy/containers.ts";
import { privilegesOf } from "../../policy/facts.ts";
import type { Attachment, AttachOptions, Containers } from "../containers.ts";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import { logAttributes } from "../records/log-options.ts";
import { isRunning } from "../records/state.ts";

/** `GET /containers/{id}/logs`. Works while the container exists, running or not. */
export const containerLogs: (
  context: Pick<Context, "registry" | "runtime">,
  ...request: Parameters<Containers["logs"]>
) => ReturnType<Containers["logs"]> = async ({ registry, runtime }, actor, ref, options) => {
  const container = registry.resolve(actor, ref);
  if (!options.stdout && !options.stderr)
    throw new EngineError("invalid", "Bad parameters: you must choose at least one stream");
  if (container.hostConfig.LogConfig.Type === "none")
    throw new EngineError("unsupported", "configured logging driver does not support reading");
  const follow = options.follow && (isRunning(container.state) || container.state.status === "restarting");
  return {
    terminal: container.config.Tty,
    output: runtime.output(container.id, { ...options, follow }),
    attributes: logAttributes(container),
  };
};

/** No output. */
const NOTHING = iterate<never>(async () => undefined);

/** A way into an input that stays open for the process when the client has sent all it had. */
function outlasting(input: Writable): Writable {
  return new Writable({
    write: (chunk, _, callback) => input.write(chunk, () => callback()),
    final: (callback) => {
      input.destroy();
      callback();
    },
  });
}

/** Whoever is attached may steer a process with all the container's privileges, so the user must still have them. Throws `forbidden`. */
export function assertAttachAllowed(
  { host }: Pick<Context, "host">,
  actor: Actor,
  container: Pick<Container, "hostConfig" | "endpoints">,
): void {
  assertExecAllowed(actor, { privileged: false }, privilegesOf(container, host));
}

/**
 * `POST /containers/{id}/attach`: reads the log from its current end and writes to stdin. The client may attach before the start.
 * A slow client blocks nobody, since the process writes only to the log.
 */
export async function attachContainer(
  context: Pick<Context, "registry" | "supervisor" | "runtime" | "events" | "host">,
  actor: Actor,
  ref: string,
  options: AttachOptions,
): Promise<Attachment> {
  const { registry, runtime, supervisor } = context;
  const container = registry.resolve(actor, ref);
  assertAttachAllowed(context, actor, container);
  const { id, config } = container;
  if (container.state.status === "paused")
    throw new EngineError("conflict", `container ${ref} is paused, unpause the container before attach`);
  if (container.state.status === "restarting")
    throw new EngineError("conflict", `container ${ref} is restarting, wait until the container is running`);
  const leaving = new AbortController();
  const { signal } = leaving;
  // A client that attaches before the start must receive output from the first byte, so start waiting now:
  // by the time it reads the output, the start may be over.
  const begun = options.stream && !isRunning(container.state) ? supervisor.nextStart(id, signal) : undefined;
  const stop = (thrown: unknown): never => {
    leaving.abort();
    throw thrown;
  };
  const from = options.logs ? undefined : await runtime.outputEnd(id).catch(stop);
  const output = opened(async () => {
    if ((await begun) === "given-up") return NOTHING;
    return runtime.output(id, {
      stdout: options.stdout,
      stderr: options.stderr,
      follow: options.stream,
      ...(from === undefined ? {} : { from }),
      signal,
    });
  });
  const input = options.stdin && options.stream && config.OpenStdin ? await runtime.stdin(id).catch(stop) : undefined;
  const stdin = input === undefined || config.StdinOnce ? input : outlasting(input);
  containerEvent(context, container, "attach");
  return {
    terminal: config.Tty,
    output,
    stdin,
    close: () => {
      leaving.abort();
      if (stdin && config.StdinOnce) stdin.end();
    },
  };
}
