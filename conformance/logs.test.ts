import { afterEach, describe, expect, test } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { dockerOf } from "./docker.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// Log drivers and their options, by what `docker logs` then shows.

const berth = sharedBerth();
const docker = dockerOf(berth);
afterEach(() => removeContainers(berth));

test("details come from the labels, variables and the tag that the options name", async () => {
  const chosen = ["--log-opt", "labels=team,absent", "--log-opt", "env=STAGE", "--log-opt", "tag={{.Name}}"];
  const given = ["--label", "team=a b", "--label", "other=x", "-e", "STAGE=test", "-e", "SECRET=s"];
  await docker.run("run", "--name", "told", ...chosen, ...given, "busybox", "sh", "-c", "echo one; printf two");
  expect(await docker.run("logs", "--details", "told")).toBe(
    "STAGE=test,tag=told,team=a+b one\nSTAGE=test,tag=told,team=a+b two",
  );
  expect(await docker.run("logs", "-t", "--details", "-n", "1", "told")).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z STAGE=test,tag=told,team=a\+b two$/,
  );
  await docker.run("run", "--name", "untold", "busybox", "echo", "line");
  expect((await docker.try("logs", "--details", "untold")).stdout).toBe(" line\n");
});

test("without a log there is output for who attaches, and nothing to read later", async () => {
  expect(await docker.run("run", "--name", "silent", "--log-driver", "none", "busybox", "echo", "heard")).toBe("heard");
  expect(await docker.try("logs", "silent")).toMatchObject({
    code: 1,
    stderr: "Error response from daemon: configured logging driver does not support reading\n",
  });
});

test("a log that is full gives up its oldest lines", async () => {
  const bounds = ["--log-opt", "max-size=2k", "--log-opt", "max-file=3"];
  const lines = "for i in $(seq 1000); do echo line $i; done";
  await docker.run("run", "--name", "rotated", ...bounds, "busybox", "sh", "-c", lines);
  const kept = (await docker.run("logs", "rotated")).split("\n");
  const first = 1000 - kept.length + 1;
  expect(kept).toEqual(kept.map((_, at) => `line ${first + at}`));
  // A record has some 80 bytes, and 4 to 6 KiB of them are kept.
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.length).toBeLessThan(150);
});

describe("options that no driver takes", () => {
  test.each([
    ["max-size=zz", "invalid size: 'zz'"],
    ["max-file=0", "max-file cannot be less than 1"],
    ["unheard-of=1", "unknown log opt 'unheard-of' for json-file log driver"],
    ["mode=odd", "logging mode not supported: odd"],
  ])("%s", async (option, message) => {
    const { code, stderr } = await docker.try("run", "--log-opt", option, "busybox", "true");
    expect({ code, stderr }).toEqual({ code: 125, stderr: expect.stringContaining(message) });
  });
});
