import type { ContainerId } from "../../engine/ids.ts";
import type { Context } from "../context.ts";

/** Does work on a container whose failure must not keep others from theirs, nor undo what came before: it is logged as `what`. */
export async function logged(
  { log }: Pick<Context, "log">,
  id: ContainerId,
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (fault) {
    log.error({ container: id, err: fault }, what);
  }
}
