import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { boundLog } from "./daemon-log.ts";

test("truncates a log that is being written, and keeps the newest truncated part", async () => {
  const folder = await mkdtemp(join(tmpdir(), "berth-log-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "containerd.log");
  const texts = async () => Object.fromEntries(await Promise.all((await readdir(folder)).map(read)));
  const read = async (name: string) => [name, await readFile(join(folder, name), "utf8")];
  const bound = () => boundLog(path, { most: 8 });

  await bound();
  expect(await texts()).toEqual({});
  const log = await open(path, "a");
  onTestFinished(() => log.close());
  await log.write("12345678");
  await bound();
  expect(await texts()).toEqual({ "containerd.log": "12345678" });
  await log.write("9");
  await bound();
  await log.write("abc");
  expect(await texts()).toEqual({ "containerd.log": "abc", "containerd.log.1": "123456789" });
  await log.write("defghi");
  await bound();
  expect(await texts()).toEqual({ "containerd.log": "", "containerd.log.1": "abcdefghi" });
});
