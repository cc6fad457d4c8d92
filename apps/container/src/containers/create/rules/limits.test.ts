import { describe, expect, it } from "vitest";
import { validateProcessors } from "./limits.ts";

describe("CPU limits", () => {
  const none = "Your kernel does not support CPU real-time scheduler";
  it.each([
    [{ CpuRealtimeRuntime: 500, CpuRealtimePeriod: 1000 }, none],
    [{ CpuRealtimeRuntime: 500 }, none],
    [{ CpuRealtimePeriod: 1000 }, none],
    [{ NanoCpus: 1e9 }, undefined],
    [{}, undefined],
  ])("%j on a kernel without real-time groups: %s", (resources, refusal) => {
    expect(validateProcessors(resources, { cpus: 2, cpuRealtime: false })).toBe(refusal);
  });
});
