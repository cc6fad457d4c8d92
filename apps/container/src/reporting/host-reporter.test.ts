import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { EngineError } from "../engine/errors.ts";
import type { HostReport } from "../engine/host-report.ts";
import { createJournal } from "../events/journal.ts";
import { HostReporter } from "./host-reporter.ts";

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const EVENT = { type: "container", action: "start", actor: { id: "c", attributes: {} }, owner: undefined } as const;

function reportOf(version: number): HostReport {
  return {
    engineVersion: String(version),
    containers: [],
    heldPorts: [],
    processPorts: [],
    refusedSince: "2030-01-01T00:00:00.000Z",
    refusedUsers: [],
    usage: [],
  };
}

it("reports at its start and after an event, each time what there is then", async () => {
  const events = createJournal();
  const sent: string[] = [];
  let version = 1;
  const send = async ({ engineVersion }: HostReport) => void sent.push(engineVersion);
  const reporter = new HostReporter({ report: async () => reportOf(version), send, events, log: LOG });
  await expect.poll(() => sent).toEqual(["1"]);
  version = 2;
  events.emit(EVENT);
  await expect.poll(() => sent.at(-1)).toBe("2");
  await reporter.close();
  events.emit(EVENT);
});

it("ends at once while it rests after a report", async () => {
  let isSent = false;
  const send = async () => {
    // It rests twenty times as long.
    await delay(50);
    isSent = true;
  };
  const reporter = new HostReporter({ report: async () => reportOf(1), send, events: createJournal(), log: LOG });
  await expect.poll(() => isSent, { interval: 5 }).toBe(true);
  await reporter.close();
});

it("ends at once while the directory is away, and warns once", async () => {
  const warnings: string[] = [];
  const log = { ...LOG, warn: (_: unknown, message: string) => void warnings.push(message) };
  const send = async () => {
    throw new EngineError("unavailable", "away");
  };
  const reporter = new HostReporter({ report: async () => reportOf(1), send, events: createJournal(), log });
  await expect.poll(() => warnings).toEqual(["failed to report this host; trying again"]);
  await reporter.close();
});
