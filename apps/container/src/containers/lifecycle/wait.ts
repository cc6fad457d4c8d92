import type { Actor } from "../../engine/actor.ts";
import type { WaitCondition } from "../containers.ts";
import type { Context } from "../context.ts";
import { isRunning } from "../records/state.ts";

/**
 * `POST /containers/{id}/wait`. The state is read and the waiter registered in one step, so no exit falls between them;
 * the code of a container that was removed is kept by whoever waits for the removal.
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
  // An exit that a policy follows up with a restart is an exit all the same, as in moby.
  return { exit: isRunning(state) ? supervisor.nextExit(id).then(code) : Promise.resolve(code(state)) };
}
