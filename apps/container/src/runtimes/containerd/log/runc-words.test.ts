import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dropRuncWords } from "./runc-words.ts";

function record(log: string): string {
  return `{"log":"${log}\\n","stream":"stderr","time":"2026-01-02T03:04:05.000000006Z"}\n`;
}

const EARLIER = record("line 1");
const OF_RUNC = record("write exec fifo /proc/self/fd/5: broken pipe");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-runc-words-"));
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ["what runc wrote of a start that failed goes", EARLIER + OF_RUNC, EARLIER],
  ["what a program wrote stays", EARLIER + record("begin"), EARLIER + record("begin")],
  ["a start of which nothing was written leaves the log as it is", EARLIER, EARLIER],
  ["what runc wrote of an earlier start stays", OF_RUNC.slice(0, EARLIER.length), OF_RUNC.slice(0, EARLIER.length)],
])("%s", async (_, before, after) => {
  const path = join(folder, "json.log");
  await writeFile(path, before);
  await dropRuncWords(path, EARLIER.length);
  expect(await readFile(path, "utf8")).toBe(after);
});

it("a log that is not there is nothing to change", async () => {
  await dropRuncWords(join(folder, "none.log"), 0);
});
