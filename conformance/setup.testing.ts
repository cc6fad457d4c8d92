import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { startBerth } from "./berth.testing.ts";
import { release } from "./claim.testing.ts";
import type {} from "./shared-berth.testing.ts";

const ROOT = resolve(import.meta.dirname, "..");

/**
 * Starts the Berths that files share, as many as workers, and ends them after the last file. It bundles the services and the command before that, since
 * the compiler alone leaves an earlier bundle.
 * `CONFORMANCE_ENGINE`, a socket's path, names another engine to run the files against: its owner ends it.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const other = process.env.CONFORMANCE_ENGINE;
  if (other !== undefined) {
    project.provide("berths", [{ instance: "", socket: other, state: "", run: "" }]);
    return undefined;
  }
  for (const folder of ["apps/container", "apps/directory", "packages/cli"])
    execFileSync(process.execPath, [resolve(ROOT, "scripts/bundle.mjs"), resolve(ROOT, folder)]);
  const workers = Number(project.config.maxWorkers);
  const berths = await Promise.all(Array.from({ length: workers }, () => startBerth()));
  project.provide(
    "berths",
    berths.map(({ instance, socket, state, run }) => ({ instance, socket, state, run })),
  );
  return async () => {
    await Promise.all(berths.map((berth) => berth.close()));
    for (const { instance } of berths) release(`berth-${instance}`);
  };
}
