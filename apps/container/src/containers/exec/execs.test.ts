import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ADMINISTRATOR, someExec, someService } from "../containers-service.testing.ts";

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
