import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSupervisor } from "./supervisor.ts";

let folder: string;

// This machine may run without systemd: a program of its name writes down what it is told.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-supervisor-"));
  writeFileSync(join(folder, "systemd-notify"), `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >>${folder}/told\n`);
  chmodSync(join(folder, "systemd-notify"), 0o755);
});

afterAll(() => rmSync(folder, { recursive: true }));

function told(): readonly string[] {
  return readFileSync(join(folder, "told"), "utf8").trim().split("\n");
}

it("tells systemd that the service is ready, alive, and stopping", async () => {
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    NOTIFY_SOCKET: "/run/n",
    WATCHDOG_USEC: "60000",
    WATCHDOG_PID: "1",
  };
  const supervisor = openSupervisor(env);
  expect(env).toEqual({ PATH: env.PATH });
  await supervisor.ready();
  expect(told()[0]).toBe("/run/n READY=1");
  await expect.poll(told).toContain("/run/n WATCHDOG=1");
  await supervisor.stopping();
  expect(told()).toContain("/run/n STOPPING=1");
});

it.each([
  ["without systemd", {}],
  ["where its program is missing", { PATH: "/nowhere", NOTIFY_SOCKET: "/run/n" }],
])("goes on %s", async (_where, env) => {
  const supervisor = openSupervisor({ ...env });
  await expect(supervisor.ready()).resolves.toBeUndefined();
  await expect(supervisor.stopping()).resolves.toBeUndefined();
});
