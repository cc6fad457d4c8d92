import type { Actor } from "../../engine/actor.ts";
import type { WaitCondition } from "../containers.ts";
import type { Context } from "../context.ts";
import { isRunning } from "../records/state.ts";

/**
 * `POST /containers/{id}/wait`. Reads the state and registers the waiter in one step, so no exit is missed.
 * A waiter for the removal gets the exit code of a container that no longer exists.
 */
export async function waitContainer(
  { registry, supervisor }: Pick<Context, "registry" | "supervisor">,
  actor: Actor,
  ref: string,
  condition: WaitCondition,
): Promise<{ readonly exit: Promise<{ readonly statusCode: number }> }> {
  const { id, state } = registry.resolve(actor, ref);
  const code = ({ exitCode }: { readonly exitCode: number }) => ({ statusCode: exitCode });
  if (condition === "next-exit") return { exit: supervisor.nextExit(id).then(code) };
  if (condition === "removed") return { exit: supervisor.removed(id).then((exitCode) => code({ exitCode })) };
  // An exit that is followed by a restart counts too, as in moby.
  return { exit: isRunning(state) ? supervisor.nextExit(id).then(code) : Promise.resolve(code(state)) };
}
