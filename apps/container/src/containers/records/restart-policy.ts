import type { RestartPolicy } from "./config.ts";

/** Whether an exit is followed by a start (moby `restartmanager`). A container that a person stopped stays down. */
export function restartsAfterExit(
  policy: RestartPolicy,
  run: { readonly exitCode: number; readonly restartCount: number; readonly stoppedByUser: boolean },
): boolean {
  if (run.stoppedByUser) return false;
  if (policy.Name === "always" || policy.Name === "unless-stopped") return true;
  return (
    policy.Name === "on-failure" &&
    run.exitCode !== 0 &&
    (policy.MaximumRetryCount === 0 || run.restartCount < policy.MaximumRetryCount)
  );
}

/** Whether a container that was down when the service came up is started. */
export function startsAtBoot(
  policy: RestartPolicy,
  last: { readonly exitCode: number; readonly stoppedByUser: boolean; readonly wasRunning: boolean },
): boolean {
  if (policy.Name === "always") return true;
  if (policy.Name === "unless-stopped") return !last.stoppedByUser;
  return policy.Name === "on-failure" && last.wasRunning && last.exitCode !== 0;
}

/** Milliseconds before the restart after `restartCount` earlier ones: 100, 200, 400 … one minute; a run of 10 s begins anew. */
export function restartDelay(restartCount: number, ranForMs: number): number {
  return ranForMs >= 10_000 ? 100 : Math.min(100 * 2 ** Math.min(restartCount, 16), 60_000);
}
