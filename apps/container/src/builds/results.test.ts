import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestOf } from "./build-request.testing.ts";
import { cachedLines, findResult, forgetResults, keepResult } from "./results.ts";

let cache: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), "berth-results-"));
});
afterAll(() => rm(cache, { recursive: true }));

const REQUEST = requestOf({ context: { kind: "remote", url: "" }, args: { A: "b" } });
const INPUTS = { context: "sha256:a", request: REQUEST, bases: { busybox: "sha256:1" } };
const RESULT = {
  image: "sha256:2",
  stages: ["sha256:3"],
  lines: [
    "Step 1/2 : FROM busybox\n",
    " ---> 111111111111\n",
    "Step 2/2 : RUN id\n",
    "uid=0\n",
    " ---> 222222222222\n",
  ],
};

test("a result is found by everything that it depends on", async () => {
  expect(await findResult(cache, INPUTS)).toBeUndefined();
  await keepResult(cache, INPUTS, RESULT);
  const found = await findResult(cache, { ...INPUTS, request: { ...REQUEST, tags: ["other"], buildId: "x" } });
  expect(found).toMatchObject({ image: "sha256:2", stages: ["sha256:3"] });
  expect(cachedLines(found ?? RESULT)).toEqual([
    ...RESULT.lines.slice(0, 3),
    " ---> Using cache\n",
    " ---> 222222222222\n",
  ]);
  for (const other of [
    { ...INPUTS, context: "sha256:b" },
    { ...INPUTS, bases: { busybox: "sha256:3" } },
    ...[{ args: { A: "c" } }, { target: "x" }, { networkMode: "none" }, { dockerfile: "x" }].map((further) => ({
      ...INPUTS,
      request: { ...REQUEST, ...further },
    })),
  ])
    expect(await findResult(cache, other)).toBeUndefined();
});

test("a damaged result is none, and a cache that loses entries loses all results", async () => {
  await keepResult(cache, INPUTS, RESULT);
  const [name = ""] = await readdir(join(cache, "results"));
  await writeFile(join(cache, "results", name), "{");
  expect(await findResult(cache, INPUTS)).toBeUndefined();
  await forgetResults(cache);
  expect(await readdir(cache)).toEqual([]);
});

test("the oldest of too many results go", async () => {
  for (let at = 0; at < 205; at++) await keepResult(cache, { ...INPUTS, context: `${at}` }, RESULT);
  expect((await readdir(join(cache, "results"))).length).toBe(200);
  expect(await findResult(cache, { ...INPUTS, context: "204" })).toBeDefined();
});
