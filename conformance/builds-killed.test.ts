import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type OwnBerth, startBerth } from "./berth.testing.ts";
import { build, contextOf, leftOfBuilds } from "./builds.testing.ts";

let berth: OwnBerth;
beforeAll(async () => {
  berth = await startBerth();
});
afterAll(() => berth?.close());

/** The processes whose command line has the text. */
function processesOf(text: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").includes(text);
      } catch {
        return false;
      }
    });
}

const SECONDS = `${100_000 + process.pid}`;
const CONTEXT = contextOf(`FROM busybox\nRUN (sleep ${SECONDS} &) ; sleep ${SECONDS}`);

test.each(["SIGKILL", "SIGTERM"] as const)("nothing of a build outlives a service that ends by %s", async (signal) => {
  const building = build(berth, CONTEXT).catch((thrown: unknown) => thrown);
  await vi.waitFor(() => expect(processesOf(`sleep ${SECONDS}`).length).toBeGreaterThan(1), {
    timeout: 30_000,
    interval: 50,
  });
  await berth.container.end(signal);
  await building;
  // No restart is needed for the processes to go.
  await vi.waitFor(
    () => expect([...processesOf(`sleep ${SECONDS}`), ...processesOf(`${berth.state}/builds`)]).toEqual([]),
    {
      timeout: 20_000,
      interval: 50,
    },
  );
  if (signal === "SIGTERM") expect(leftOfBuilds(berth)).toEqual([]);
  await berth.container.start();
  expect(leftOfBuilds(berth)).toEqual([]);
  const { error, id } = await build(berth, contextOf("FROM busybox\nRUN true"));
  expect(error).toBeUndefined();
  expect(id).toMatch(/^sha256:/);
});
