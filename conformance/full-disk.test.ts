import { closeSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { archiveOf } from "../chaos/client.mjs";
import { type OwnBerth, startBerth } from "./berth.testing.ts";
import { type Docker, dockerOf } from "./docker.testing.ts";

const MIB = 1 << 20;

let berth: OwnBerth;
let docker: Docker;
beforeAll(async () => {
  berth = await startBerth({ mebibytes: 300 });
  docker = dockerOf(berth);
});
afterAll(async () => {
  if (berth === undefined) return;
  freeDisk();
  await berth.close();
});

function filling(): string {
  return join(berth.state, "filling");
}

/** Writes until nothing more fits, and again: what ran meanwhile may have freed some. */
function fillDisk(): void {
  const file = openSync(filling(), "a");
  for (const bytes of [Buffer.alloc(MIB), Buffer.alloc(4096)])
    try {
      while (true) writeSync(file, bytes);
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: "ENOSPC" });
    }
  closeSync(file);
  expect(statfsSync(berth.state).bfree).toBe(0);
}

function freeDisk(): void {
  rmSync(filling(), { force: true });
}

function stateOf(name: string): Promise<string> {
  return docker.run("inspect", "-f", "{{.State.Status}} {{.State.ExitCode}}", name);
}

async function runWaiting(name: string): Promise<string> {
  await docker.run(
    ...["run", "-d", "--name", name, "busybox", "sh", "-c"],
    "trap 'exit 42' TERM; echo began; while [ ! -e /end ]; do sleep 0.05; done; exit 23",
  );
  return docker.run("inspect", "-f", "{{.State.Pid}}", name);
}

test("a full disk ends neither the service nor its containers, and nothing is lost", { timeout: 180_000 }, async () => {
  const endingPid = await runWaiting("ending");
  await runWaiting("stopped");
  await runWaiting("kept");
  fillDisk();

  // Nothing that needs no space is refused, and a refusal says why, in Docker's form.
  expect(await docker.run("exec", "kept", "echo", "hello")).toBe("hello");
  expect(await docker.run("logs", "kept")).toBe("began");
  const archive = archiveOf("big", "x".repeat(4 * MIB));
  const headers = { "content-type": "application/x-tar" };
  const copied = await berth.ask("PUT", "/v1.41/containers/kept/archive?path=/tmp", { headers, body: archive });
  expect(copied).toMatchObject({ status: 507, json: { message: expect.stringMatching(/no space left/i) } });
  for (let round = 0; round < 3; round++) {
    for (const [path, json] of [
      ["/containers/create", { Image: "busybox", Cmd: ["true"] }],
      ["/volumes/create", { Name: `volume-${round}` }],
    ] as const) {
      const answer = await berth.ask("POST", `/v1.41${path}`, { json });
      expect([201, 507]).toContain(answer.status);
      if (answer.status === 507) expect(answer.json.message).toMatch(/no space left/i);
    }
  }

  // Exits are not lost: one that was asked for, and one that came of itself.
  await docker.run("stop", "stopped");
  expect(await stateOf("stopped")).toBe("exited 42");
  writeFileSync(`/proc/${endingPid}/root/end`, "");
  await expect.poll(() => stateOf("ending")).toBe("exited 23");

  // The service starts on a full disk.
  fillDisk();
  await berth.container.end("SIGKILL");
  await berth.container.start();
  // A containerd that is slow to tell does not hold up the start of the service.
  await expect.poll(() => stateOf("stopped"), { timeout: 30_000 }).toBe("exited 42");
  await expect.poll(() => stateOf("ending"), { timeout: 30_000 }).toBe("exited 23");
  expect(await stateOf("kept")).toBe("running 0");
  await docker.run("stop", "kept");
  expect(await stateOf("kept")).toBe("exited 42");

  // All is as ever once there is space again.
  freeDisk();
  await expect.poll(() => docker.try("run", "--rm", "busybox", "echo", "hello")).toMatchObject({ stdout: "hello\n" });
  await docker.run("start", "kept");
  await berth.container.end("SIGKILL");
  await berth.container.start();
  expect(await stateOf("stopped")).toBe("exited 42");
  expect(await stateOf("ending")).toBe("exited 23");
  expect(await stateOf("kept")).toBe("running 0");
  await docker.run("rm", "-f", "kept", "stopped", "ending");
});
