import type { RestartPolicy } from "./config.ts";

/** Whether the policy restarts the container after an exit (moby `restartmanager`). A container stopped by a client stays down. */
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

/** Whether the policy starts a stopped container at boot. */
export function startsAtBoot(
  policy: RestartPolicy,
  last: { readonly exitCode: number; readonly stoppedByUser: boolean; readonly wasRunning: boolean },
): boolean {
  if (policy.Name === "always") return true;
  if (policy.Name === "unless-stopped") return !last.stoppedByUser;
  return policy.Name === "on-failure" && last.wasRunning && last.exitCode !== 0;
}

/** Delay in milliseconds after `restartCount` earlier restarts: 100, 200, 400 … up to one minute; reset after a run of 10 s. */
export function restartDelay(restartCount: number, ranForMs: number): number {
  return ranForMs >= 10_000 ? 100 : Math.min(100 * 2 ** Math.min(restartCount, 16), 60_000);
}
