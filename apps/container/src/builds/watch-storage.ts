import { setTimeout as delay } from "node:timers/promises";
import { isEngineError } from "../engine/errors.ts";
import { assertStorageAllowed } from "../policy/containers.ts";
import type { Build, WorkContext } from "./work-context.ts";

const DISK_CHECK_MS = 1000;
/** Measuring takes at most one part in so many of the time. */
const REST_FACTOR = 20;

/**
 * Looks at the disk while a build runs: at its free space, and for a user at what the build has written, against the owner's quota on
 * storage. Settles once the signal is aborted. Throws `full` and `forbidden`.
 */
export async function watchStorage(context: WorkContext, build: Build, signal: AbortSignal): Promise<never> {
  const { quota } = context.imageContext;
  const { rights, folders } = build;
  for (;;) {
    const before = performance.now();
    await quota.free();
    const { actor } = rights;
    if (actor.kind === "user") {
      const bytes = await context.measure(folders.owner).catch((thrown: unknown) => {
        // Files come and go under the walk.
        if (isEngineError(thrown)) return 0;
        throw thrown;
      });
      assertStorageAllowed(actor, context.storageOf(actor.id) - context.caches.of(build.owner) + bytes);
    }
    const rest = Math.max(DISK_CHECK_MS, (performance.now() - before) * REST_FACTOR);
    await delay(rest, undefined, { signal });
  }
}
