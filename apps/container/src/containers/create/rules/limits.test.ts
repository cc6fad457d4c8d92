import { describe, expect, it } from "vitest";
import { validateProcessors, validateResources } from "./limits.ts";

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

  const range = "range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available";
  it.each([
    [-1, range],
    [1, range],
    [9_999, range],
    [10_000, range],
    [9_999_999, range],
    [0, undefined],
    [10_000_000, undefined],
    [2_000_000_000, undefined],
    [2_000_000_001, range],
  ])("%i billionths of a CPU on two CPUs: %s", (NanoCpus, refusal) => {
    expect(validateProcessors({ NanoCpus }, { cpus: 2, cpuRealtime: false })).toBe(refusal);
  });

  it("a share that is negative is none", () => {
    const refusal = "invalid CPU shares (-1): value must be a positive integer";
    for (const kind of ["create", "update"] as const)
      expect(validateResources({ CpuShares: -1 }, { kind })).toBe(refusal);
    expect(validateResources({ CpuShares: 0 }, { kind: "create" })).toBeUndefined();
  });

  const short = "CPU cfs quota can not be less than 1ms (i.e. 1000)";
  it.each([
    [1, short],
    [999, short],
    [1000, undefined],
    [0, undefined],
    [-1, undefined],
  ])("a quota of %i microseconds: %s", (CpuQuota, refusal) => {
    for (const kind of ["create", "update"] as const) expect(validateResources({ CpuQuota }, { kind })).toBe(refusal);
  });
});
