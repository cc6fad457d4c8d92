import { describe, expect, it } from "vitest";
import { afterProbe, healthCheckOf, STARTING } from "../records/health.ts";
import { containerName, inventName } from "../records/names.ts";
import { restartDelay, restartsAfterExit, startsAtBoot } from "../records/restart-policy.ts";
import { signalNumber } from "../records/signals.ts";

describe("signalNumber", () => {
  it.each([
    ["SIGKILL", 9],
    ["kill", 9],
    ["15", 15],
    ["RTMIN+3", 37],
    ["SIGRTMAX-1", 63],
  ])("%s is %i", (signal, number) => expect(signalNumber(signal)).toBe(number));

  it.each(["0", "65", "SIG9", "SIGNOPE", "", "9x", "RTMAX+1"])("rejects %j", (signal) => {
    expect(() => signalNumber(signal)).toThrow(`invalid signal: ${signal}`);
  });
});

describe("containerName", () => {
  it.each([
    ["/web", "web"],
    ["a..b", "a..b"],
    ["a_b-1", "a_b-1"],
  ])("takes %s", (name, bare) => expect(containerName(name)).toBe(bare));
  it.each(["", "a", "-x", "a b", "//a", "ä1"])("rejects %j", (name) =>
    expect(() => containerName(name)).toThrow("Invalid container name"),
  );
  it("picks another random name when one is taken", () => {
    const taken = new Set<string>();
    for (let count = 0; count < 5; count++)
      taken.add(
        inventName(
          () => 0,
          (name) => taken.has(name),
        ),
      );
    expect(taken.size).toBe(5);
  });
});

describe("restart policies", () => {
  const run = { exitCode: 1, restartCount: 0, stoppedByUser: false };
  it.each([
    ["always", 0, { ...run, exitCode: 0 }, true],
    ["always", 0, { ...run, stoppedByUser: true }, false],
    ["unless-stopped", 0, run, true],
    ["on-failure", 0, run, true],
    ["on-failure", 0, { ...run, exitCode: 0 }, false],
    ["on-failure", 2, { ...run, restartCount: 1 }, true],
    ["on-failure", 2, { ...run, restartCount: 2 }, false],
    ["no", 0, run, false],
    ["", 0, run, false],
  ] as const)("%s (%i) after %j: %s", (Name, MaximumRetryCount, last, restarts) => {
    expect(restartsAfterExit({ Name, MaximumRetryCount }, last)).toBe(restarts);
  });

  it.each([
    ["always", { exitCode: 0, stoppedByUser: true, wasRunning: false }, true],
    ["unless-stopped", { exitCode: 0, stoppedByUser: true, wasRunning: false }, false],
    ["unless-stopped", { exitCode: 0, stoppedByUser: false, wasRunning: false }, true],
    ["on-failure", { exitCode: 255, stoppedByUser: false, wasRunning: true }, true],
    ["on-failure", { exitCode: 1, stoppedByUser: false, wasRunning: false }, false],
  ] as const)("%s at boot after %j: %s", (Name, last, starts) => {
    expect(startsAtBoot({ Name, MaximumRetryCount: 0 }, last)).toBe(starts);
  });

  it("doubles the delay up to one minute and resets it after a long run", () => {
    expect([0, 1, 2, 30].map((count) => restartDelay(count, 0))).toEqual([100, 200, 400, 60_000]);
    expect(restartDelay(8, 10_000)).toBe(100);
  });
});

describe("health", () => {
  const probe = (exitCode: number) => ({ start: "a", end: "b", exitCode, output: "" });
  const check = { retries: 2 };

  it("becomes healthy after one success and unhealthy after consecutive failures", () => {
    const once = afterProbe(STARTING, probe(1), check, { inStartPeriod: false });
    expect(once).toMatchObject({ status: "starting", failingStreak: 1 });
    expect(afterProbe(once, probe(0), check, { inStartPeriod: false })).toMatchObject({
      status: "healthy",
      failingStreak: 0,
    });
    expect(afterProbe(once, probe(1), check, { inStartPeriod: false })).toMatchObject({
      status: "unhealthy",
      failingStreak: 2,
    });
  });

  it("ignores failures in the start period and keeps five probes", () => {
    let health = STARTING;
    for (let count = 0; count < 7; count++) health = afterProbe(health, probe(1), check, { inStartPeriod: true });
    expect(health).toMatchObject({ status: "starting", failingStreak: 0 });
    expect(health.log).toHaveLength(5);
  });

  it("applies Docker's defaults to the health check", () => {
    expect(healthCheckOf({ Healthcheck: { Test: ["CMD-SHELL", "true"] } })).toEqual({
      args: ["/bin/sh", "-c", "true"],
      intervalMs: 30_000,
      timeoutMs: 30_000,
      startPeriodMs: 0,
      startIntervalMs: 5_000,
      retries: 3,
    });
    expect(healthCheckOf({ Healthcheck: { Test: ["CMD", "a"], Interval: 1e9 } })).toMatchObject({
      args: ["a"],
      intervalMs: 1000,
    });
    expect(healthCheckOf({ Healthcheck: { Test: ["NONE"] } })).toBeUndefined();
    expect(healthCheckOf({})).toBeUndefined();
  });
});
