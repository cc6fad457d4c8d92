import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";
import { loadReaper, removeImages, settingsFor } from "./testcontainers.testing.ts";

// The reaper gets the engine's own socket, finds by labels what a killed test run left, and removes it.

const berth = sharedBerth();
let killed: ChildProcess | undefined;

beforeAll(() => loadReaper(berth));
afterAll(async () => {
  killed?.kill("SIGKILL");
  await removeContainers(berth);
  await removeImages(berth);
});

function filtered(path: string, filters: Readonly<Record<string, readonly string[]>>) {
  return berth.expect([200], "GET", `${path}filters=${encodeURIComponent(JSON.stringify(filters))}`);
}

test.each(["false", "true"])("a killed test run leaves nothing; reaper privileged: %s", async (privileged) => {
  killed = spawn(process.execPath, [join(import.meta.dirname, "fixtures/killed-test.mjs")], {
    env: {
      ...process.env,
      ...settingsFor(berth),
      TESTCONTAINERS_RYUK_PRIVILEGED: privileged,
      TESTCONTAINERS_RYUK_RECONNECTION_TIMEOUT: "500ms",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { stdout } = killed;
  if (stdout === null) throw new Error("its output is a pipe");
  let line = "";
  for await (line of createInterface(stdout)) break;
  if (line === "") throw new Error("the test run ended before it had started anything");
  const started: { readonly containers: readonly string[]; readonly network: string } = JSON.parse(line);

  const [reaper] = (await filtered("/containers/json?", { name: ["testcontainers-ryuk"] })).json;
  const session = `org.testcontainers.session-id=${reaper.Labels["org.testcontainers.session-id"]}`;
  const known = await filtered("/containers/json?", { label: [session] });
  expect(known.json.map(({ Id }: { Id: string }) => Id).sort()).toEqual([reaper.Id, ...started.containers].sort());
  const { json: inspected } = await berth.expect([200], "GET", `/containers/${reaper.Id}/json`);
  expect(inspected.HostConfig.Privileged).toBe(privileged === "true");
  // What else bears the labels: a volume, and an image by its own.
  const labels = Object.fromEntries([session.split("=")]);
  const volume = `reaped-${process.pid}`;
  await berth.expect([201], "POST", "/volumes/create", { Name: volume, Labels: labels });
  const commit = `/commit?container=${started.containers[0]}&repo=berth-test/reaped&tag=1`;
  const { json: image } = await berth.expect([201], "POST", commit, { Labels: labels });

  killed.kill("SIGKILL");
  await expect
    .poll(async () => (await filtered("/containers/json?all=1&", { label: [session] })).json, { timeout: 30_000 })
    .toEqual([]);
  for (const path of [`/networks/${started.network}`, `/volumes/${volume}`, `/images/${image.Id}/json`])
    await expect
      .poll(async () => ({ path, status: (await berth.ask("GET", path)).status }), { timeout: 30_000 })
      .toEqual({ path, status: 404 });
});
