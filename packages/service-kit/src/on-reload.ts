import type { Logger } from "pino";

/**
 * Runs `reload` at each SIGHUP, one after the other. It reads tokens and certificates again; where it fails the service goes on with what it
 * has, and the log says why.
 */
export function onReload(log: Pick<Logger, "info" | "error">, reload: () => Promise<void>): void {
  let queue = Promise.resolve();
  process.on("SIGHUP", () => {
    queue = queue.then(reload).then(
      () => log.info("reloaded tokens and certificates"),
      (fault: unknown) =>
        log.error({ err: fault }, "failed to reload; going on with the former tokens and certificates"),
    );
  });
}
