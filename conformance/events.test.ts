import { afterAll, expect, test } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { dockerOf } from "./docker.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// What a watcher of a container's life hears, and in which order: `docker events`, looking back.

const berth = sharedBerth();
const docker = dockerOf(berth);
const NAME = `heard-${process.pid}`;
const IMAGE = `${NAME}:1`;

afterAll(async () => {
  await removeContainers(berth);
  await docker.try("rmi", "-f", IMAGE);
});

async function heard(since: string): Promise<readonly string[]> {
  const format = "{{.Action}}|{{with .Actor.Attributes}}{{.signal}} {{.exitCode}} {{.imageRef}}{{end}}";
  const bounds = ["--since", since, "--until", String(Date.now() / 1000)];
  const told = await docker.run("events", ...bounds, "--filter", `container=${NAME}`, "--format", format);
  return told.split("\n").map((line) => line.replaceAll("<no value>", "").trimEnd());
}

test("every step of its life, signals and all", async () => {
  const since = String(Date.now() / 1000);
  const obedient = "trap exit TERM; while :; do sleep 0.1; done";
  await docker.run("run", "-d", "--name", NAME, "busybox", "sh", "-c", obedient);
  await docker.run("exec", NAME, "true");
  await docker.run("exec", NAME, "echo", "two words");
  await docker.run("top", NAME);
  await docker.run("commit", NAME, IMAGE);
  await docker.run("restart", NAME);
  await docker.run("kill", "-s", "HUP", NAME);
  await docker.run("stop", NAME);
  await docker.run("start", NAME);
  await docker.run("rm", "-f", NAME);
  expect(await heard(since)).toEqual([
    "create|",
    "start|",
    ...["exec_create: true |", "exec_start: true |", "exec_die| 0"],
    ...["exec_create: echo two words|", "exec_start: echo two words|", "exec_die| 0"],
    "top|",
    // The image bears the container's name, which is what the filter goes by.
    ...["pause|", "tag|", `commit|  ${IMAGE}`, "unpause|"],
    ...["kill|15", "die| 0", "stop|", "start|", "restart|"],
    "kill|1",
    ...["kill|15", "die| 0", "stop|", "start|"],
    ...["kill|9", "die| 137", "destroy|"],
  ]);
});

test("a process that does not heed the stop is killed, which is told as well", async () => {
  const since = String(Date.now() / 1000);
  await docker.run(
    "run",
    "-d",
    "--name",
    NAME,
    "--stop-signal",
    "USR1",
    "busybox",
    "sh",
    "-c",
    "trap '' USR1; sleep 60",
  );
  await docker.run("stop", "-t", "1", NAME);
  expect((await heard(since)).slice(2)).toEqual(["kill|10", "kill|9", "die| 137", "stop|"]);
  await docker.run("rm", NAME);
});

test.each([
  ["kill", 137],
  ["kill -s TERM", 0],
  ["stop", 0],
])("a container that is paused heeds %s", async (command, exitCode) => {
  const obedient = "trap exit TERM; while :; do sleep 0.1; done";
  await docker.run("run", "-d", "--name", NAME, "busybox", "sh", "-c", obedient);
  await docker.run("pause", NAME);
  const since = String(Date.now() / 1000);
  expect(await docker.run(...command.split(" "), NAME)).toBe(NAME);
  expect(await docker.run("wait", NAME)).toBe(String(exitCode));
  await expect.poll(() => heard(since)).toContain(`die| ${exitCode}`);
  await docker.run("rm", NAME);
});

test("a kill for memory is told, and seen afterwards", async () => {
  const since = String(Date.now() / 1000);
  const hungry = "x=aaaaaaaaaa; while :; do x=$x$x; done";
  const limit = ["-m", "20m", "--memory-swap", "20m"];
  expect((await docker.try("run", "--name", NAME, ...limit, "busybox", "sh", "-c", hungry)).code).toBe(137);
  await expect.poll(() => docker.run("inspect", "-f", "{{.State.OOMKilled}}", NAME)).toBe("true");
  expect(await heard(since)).toContain("oom|");
  await docker.run("rm", NAME);
});
