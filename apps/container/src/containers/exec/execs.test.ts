import type { Privilege } from "@berth/directory-domain";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { user } from "../../engine/user.testing.ts";
import type { EventSink, EventSource } from "../../events/events.ts";
import { ADMINISTRATOR, someExec, someService } from "../containers-service.testing.ts";
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
  ["nope", 127],
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

it("forgets an exec that nobody starts, after ten minutes", async () => {
  const { containers } = service;
  const id = await running();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const waiting = await createExec(id, "true");
  vi.advanceTimersByTime(599_999);
  expect((await containers.getExec(ADMINISTRATOR, waiting)).running).toBe(false);
  vi.advanceTimersByTime(1);
  await expect(containers.getExec(ADMINISTRATOR, waiting)).rejects.toThrow(`No such exec instance: ${waiting}`);
});

it("knows an exec that ran after its container has ended, and resizes it no more", async () => {
  const { containers } = service;
  const id = await running();
  const waiting = await createExec(id, "true");
  const exec = await containers.createExec(ADMINISTRATOR, id, someExec("sleep", "9999"));
  const { begin } = await containers.startExec(ADMINISTRATOR, exec, { detach: true, tty: false });
  await begin();
  await containers.kill(ADMINISTRATOR, id, "SIGKILL");
  await containers.wait(ADMINISTRATOR, id, "not-running");
  const resized = containers.resizeExec(ADMINISTRATOR, exec, { height: 1, width: 1 });
  await expect(resized).rejects.toMatchObject({ kind: "conflict", message: `container ${id} is not running` });
  expect((await containers.getExec(ADMINISTRATOR, exec)).containerId).toBe(id);
  await expect(containers.getExec(ADMINISTRATOR, waiting)).rejects.toMatchObject({ kind: "not-found" });
});

it("refuses an exec as a user whom the container does not have when it is made", async () => {
  const id = await running();
  const created = service.containers.createExec(ADMINISTRATOR, id, { ...someExec("true"), user: "nobody-here" });
  const message = "unable to find user nobody-here: no matching entries in passwd file";
  await expect(created).rejects.toMatchObject({ kind: "invalid", message });
});

const MEBIBYTE = 1024 * 1024;

it.each([
  ["arguments", { cmd: ["echo", "x".repeat(2 * MEBIBYTE)] }],
  ["multibyte arguments", { cmd: ["echo", "é".repeat(MEBIBYTE)] }],
  ["many arguments", { cmd: Array.from({ length: MEBIBYTE + 1 }, () => "x") }],
  ["environment", { env: [`A=${"x".repeat(2 * MEBIBYTE)}`] }],
  ["a user", { user: "x".repeat(2 * MEBIBYTE) }],
  ["a directory", { workingDir: `/${"x".repeat(2 * MEBIBYTE)}` }],
  ["detach keys", { detachKeys: "a,".repeat(MEBIBYTE) }],
])("rejects an exec with more than 2 MiB of %s", async (_what, more) => {
  const id = await running();
  const created = service.containers.createExec(ADMINISTRATOR, id, { ...someExec("true"), ...more });
  await expect(created).rejects.toMatchObject({ kind: "too-large", message: expect.stringContaining("2097152") });
});

it("bounds the memory of an owner's waiting execs, and forgets ended ones first", async () => {
  const { containers } = service;
  const id = await running();
  const large = { ...someExec("true"), env: [`A=${"x".repeat(MEBIBYTE)}`] };
  const ended = await containers.createExec(ADMINISTRATOR, id, large);
  const { begin } = await containers.startExec(ADMINISTRATOR, ended, { detach: false, tty: false });
  await (await begin()).exit;
  const waiting = await containers.createExec(ADMINISTRATOR, id, large);
  for (let count = 1; count < 31; count++) await containers.createExec(ADMINISTRATOR, id, large);
  await expect(containers.getExec(ADMINISTRATOR, ended)).rejects.toThrow("No such exec instance");
  const refused = containers.createExec(ADMINISTRATOR, id, large);
  await expect(refused).rejects.toMatchObject({ kind: "too-large", message: expect.stringContaining("33554432") });
  expect((await containers.getExec(ADMINISTRATOR, waiting)).running).toBe(false);
  await containers.remove(ADMINISTRATOR, id, { force: true, volumes: false });
  const other = await running();
  await containers.createExec(ADMINISTRATOR, other, large);
});

it.each([
  ["x".repeat(100_000), `echo ${"x".repeat(1019)}…`],
  ["é".repeat(100_000), `echo ${"é".repeat(509)}…`],
  ["short", "echo short"],
])("shows the beginning of a long command in its events (%#)", async (argument, shown) => {
  const { containers, context } = service;
  const id = await running();
  const exec = await containers.createExec(ADMINISTRATOR, id, { ...someExec("true"), cmd: ["echo", argument] });
  const { begin } = await containers.startExec(ADMINISTRATOR, exec, { detach: false, tty: false });
  await begin();
  const actions: string[] = [];
  const { signal } = new AbortController();
  // The journal's times are up to a millisecond ahead.
  const until = BigInt(Date.now() + 2) * 1_000_000n;
  const stored = (context.events as EventSink & EventSource).read({
    since: 0n,
    until,
    filters: new Map(),
    sees: () => true,
    signal,
  });
  for await (const piece of stored) actions.push(...piece.map(({ action }) => action));
  expect(actions).toContain(`exec_create: ${shown}`);
  expect(actions).toContain(`exec_start: ${shown}`);
});
