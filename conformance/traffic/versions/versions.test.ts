import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedBerth } from "../../shared-berth.testing.ts";
import { differ, explained, type Found } from "../differ.testing.ts";
import { DIFFERENCES } from "./differences.testing.ts";
import { unpacked } from "./pack.mjs";
import { type ByVersion, playVersions } from "./play.mjs";
import { startRegistry } from "./registry.mjs";

const berth = sharedBerth();
const folder = mkdtempSync(join(tmpdir(), "traffic-versions-"));

/** What changes something or is slow is asked at the first version of each way to answer, and at the last. */
const SLOW_AT = ["1.24", "1.25", "1.30", "1.40", "1.41", "1.12", "1.20", "1.23"];

const recorded = unpacked(readFileSync(join(import.meta.dirname, "dockerd.fixture.json"), "utf8"));
let played: ByVersion = {};
let found: readonly Found[] = [];

beforeAll(async () => {
  const registry = await startRegistry(folder);
  try {
    played = await playVersions(berth.socket, { registry: registry.address, slowAt: SLOW_AT });
  } finally {
    registry.close();
  }
  found = alike(differ(recordingOf(recorded), recordingOf(played)));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("every request at every version, beside its recording on dockerd", () => {
  test("is the one that was recorded", () => {
    expect(Object.keys(played).toSorted()).toEqual(Object.keys(recorded).toSorted());
  });

  test("differs only where a difference is named", () => {
    const { rest } = explained(found, DIFFERENCES);
    expect(rest.map((one) => `${one.where}: ${one.place}: ${one.recorded} -> ${one.played}`)).toEqual([]);
  });

  test("has every difference that is named", () => {
    expect(explained(found, DIFFERENCES).unused).toEqual([]);
  });
});

function recordingOf(byVersion: ByVersion) {
  return Object.fromEntries(Object.entries(byVersion).map(([line, exchanges]) => [line, { codes: [], exchanges }]));
}

/** What differs alike at several versions is one difference. */
function alike(all: readonly Found[]): readonly Found[] {
  const one = new Map<string, Found>();
  for (const each of all) {
    const where = each.where.replace(/ > (none|1\.\d+)$/, "");
    one.set(JSON.stringify([where, each.place, each.recorded, each.played]), { ...each, where });
  }
  return [...one.values()];
}
