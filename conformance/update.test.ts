import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { dockerOf } from "./docker.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// `docker update` on a container that runs: what it changes, and what it refuses with nothing changed.

const berth = sharedBerth();
const docker = dockerOf(berth);
let id = "";

beforeAll(async () => {
  id = await docker.run(
    "run",
    "-d",
    "--name",
    "updated",
    "-m",
    "20m",
    "--memory-swap",
    "40m",
    "busybox",
    "sleep",
    "600",
  );
  await docker.run("run", "-d", "--rm", "--name", "fleeting", "busybox", "sleep", "600");
});
afterAll(() => removeContainers(berth));

function limits() {
  return docker.run(
    "inspect",
    "-f",
    "{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}} {{.HostConfig.CpuShares}}",
    "updated",
  );
}

describe("refuses", () => {
  test.each([
    [
      ["-m", "50m", "updated"],
      "Memory limit should be smaller than already set memoryswap limit, update the memoryswap at the same time",
    ],
    [["--memory-swap", "10m", "updated"], "10485760"],
    [["--restart", "always", "fleeting"], "Restart policy cannot be updated because AutoRemove is enabled"],
  ])("docker update %j", async (args, why) => {
    const before = await limits();
    const { code, stderr } = await docker.try("update", ...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) });
    expect(stderr).toMatch(/^Error response from daemon: Cannot update container [0-9a-f]{64}: /);
    expect(await limits()).toBe(before);
  });
});

test("changes limits of what runs, and shows them", async () => {
  const args = ["-m", "30m", "--memory-swap", "60m", "--cpu-shares", "77"];
  expect(await docker.run("update", ...args, "updated")).toBe("updated");
  expect(await limits()).toBe(`${30 * 1024 ** 2} ${60 * 1024 ** 2} 77`);
  expect(await docker.run("inspect", "-f", "{{.Id}}", "updated")).toBe(id);
  const seen = await docker.run(
    "exec",
    "updated",
    "sh",
    "-c",
    "cat /sys/fs/cgroup/memory/memory.limit_in_bytes || cat /sys/fs/cgroup/memory.max",
  );
  expect(seen).toBe(String(30 * 1024 ** 2));
});

test("warns of a limit that it does not set", async () => {
  expect(await docker.run("update", "--kernel-memory", "50m", "updated")).toContain(
    "A kernel memory limit is ignored since API 1.42.",
  );
});
