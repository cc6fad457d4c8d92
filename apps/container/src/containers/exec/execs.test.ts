import type { Privilege } from "@berth/directory-domain";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ADMINISTRATOR, someExec, someService, user } from "../containers-service.testing.ts";
import type { HostConfig } from "../records/config.ts";

let service: Awaited<ReturnType<typeof someService>>;

beforeEach(async () => {
  service = await someService();
});

afterEach(async () => {
  vi.useRealTimers();
  await service.end();
});

async function running() {
  const { id } = await service.containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
  await service.containers.start(ADMINISTRATOR, id);
  return id;
}

function createExec(id: string, command: string) {
  return service.containers.createExec(ADMINISTRATOR, id, someExec(command));
}

it.each([
  ["true", 0],
  ["nope", 126],
])("forgets an exec of %s five minutes after its end and not earlier", async (command, exitCode) => {
  const { containers } = service;
  const id = await running();
  const [ended, waiting] = [await createExec(id, command), await createExec(id, "true")];
  const { begin } = await containers.startExec(ADMINISTRATOR, ended, { detach: false, tty: false });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const session = await begin().catch(() => undefined);
  await session?.exit;
  expect((await containers.getExec(ADMINISTRATOR, ended)).exitCode).toBe(exitCode);
  vi.advanceTimersByTime(299_999);
  expect((await containers.getExec(ADMINISTRATOR, ended)).exitCode).toBe(exitCode);
  vi.advanceTimersByTime(1);
  await expect(containers.getExec(ADMINISTRATOR, ended)).rejects.toThrow(`No such exec instance: ${ended}`);
  expect((await containers.getExec(ADMINISTRATOR, waiting)).running).toBe(false);
});

it.each<readonly [Partial<HostConfig>, Privilege]>([
  [{ Privileged: true }, "privileged"],
  [{ CapAdd: ["SYS_ADMIN"] }, "capability:SYS_ADMIN"],
  [{ Devices: [{ PathOnHost: "/dev/null", PathInContainer: "/dev/n", CgroupPermissions: "rwm" }] }, "devices"],
  [{ PidMode: "host" }, "host-pid"],
])("refuses an exec in a container with %j once the grant of %s is withdrawn", async (hostConfig, privilege) => {
  const { containers } = service;
  const granted = user(1, { kind: "privileges", effect: "grant", privileges: [privilege] });
  const { id } = await containers.create(granted, service.request("web", ["sleep", "9999"], hostConfig));
  await containers.start(granted, id);
  const earlier = await containers.createExec(granted, id, someExec("true"));
  const withdrawn = user(1);
  const options = { detach: false, tty: false };
  await expect(async () => containers.createExec(withdrawn, id, someExec("true"))).rejects.toThrow(privilege);
  await expect(async () => containers.startExec(withdrawn, earlier, options)).rejects.toThrow(privilege);
  const { begin } = await containers.startExec(granted, earlier, options);
  expect((await (await begin()).exit).exitCode).toBe(0);
});

it("lets a user run a plain exec in a plain container, and no privileged one", async () => {
  const { containers } = service;
  const ann = user(1);
  const { id } = await containers.create(ann, service.request("web", ["sleep", "9999"]));
  await containers.start(ann, id);
  expect(await containers.createExec(ann, id, someExec("true"))).toMatch(/^[0-9a-f]{64}$/);
  const privileged = { ...someExec("true"), privileged: true };
  await expect(async () => containers.createExec(ann, id, privileged)).rejects.toThrow("privileged");
});
