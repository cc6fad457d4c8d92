import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CacheWriters } from "./writers.ts";

const BOOT = await readFile("/proc/sys/kernel/random/boot_id", "utf8");

let cache: string;
let mark: string;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), "berth-writers-"));
  mark = join(cache, "unsynced");
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(cache, { recursive: true, force: true });
});

it("marks a cache before it is written, and no longer once it was synced a while after the last", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const writers = new CacheWriters();
  const giveUp = vi.fn();
  const written = () => writers.write(cache, giveUp, () => readFile(mark, "utf8"));
  expect(await Promise.all([written(), written()])).toEqual([BOOT, BOOT]);
  vi.advanceTimersByTime(59_000);
  expect(await written()).toBe(BOOT);
  vi.advanceTimersByTime(59_000);
  expect(existsSync(mark)).toBe(true);
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(existsSync(mark)).toBe(false), 10_000);
  expect(giveUp).not.toHaveBeenCalled();
});

it("gives a cache up that another boot left unsynced, once", async () => {
  await writeFile(mark, "another boot\n");
  const writers = new CacheWriters();
  const giveUp = vi.fn(() => rm(cache, { recursive: true }));
  const written = () => writers.write(cache, giveUp, () => readFile(mark, "utf8"));
  expect(await Promise.all([written(), written()])).toEqual([BOOT, BOOT]);
  expect(giveUp).toHaveBeenCalledOnce();
});

it("trusts what a service that was killed in this boot left", async () => {
  const giveUp = vi.fn();
  const fails = new CacheWriters().write(cache, giveUp, () => Promise.reject(new Error("cut off")));
  await expect(fails).rejects.toThrow("cut off");
  expect(await new CacheWriters().write(cache, giveUp, async () => existsSync(mark))).toBe(true);
  expect(giveUp).not.toHaveBeenCalled();
});
