import { once } from "node:events";

/** Calls `stop` once and then ends, where the bench is interrupted or nobody reads any more what it prints. */
export function onInterrupt(stop) {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    stop().finally(() => process.exit(1));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  process.stdout.on("error", end);
}

/** Ends a child process, which may have ended of itself, as by the terminal's own interrupt. */
export async function endOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
