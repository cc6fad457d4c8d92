import type { TestProject } from "vitest/node";
import { startBerth } from "./berth.testing.ts";
import type {} from "./shared-berth.testing.ts";

/** Starts the Berth that the files share, and ends it after the last of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { instance, socket, state, run, close } = await startBerth();
  project.provide("berth", { instance, socket, state, run });
  return close;
}
