import type { TestProject } from "vitest/node";
import { startBerth } from "./berth.testing.ts";
import type {} from "./shared-berth.testing.ts";

/**
 * Starts the Berth that the files share, and ends it after the last of them.
 * `CONFORMANCE_ENGINE`, a socket's path, names another engine to run them against: its owner ends it.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const other = process.env.CONFORMANCE_ENGINE;
  if (other !== undefined) {
    project.provide("berth", { instance: "", socket: other, state: "", run: "" });
    return undefined;
  }
  const { instance, socket, state, run, close } = await startBerth();
  project.provide("berth", { instance, socket, state, run });
  return close;
}
