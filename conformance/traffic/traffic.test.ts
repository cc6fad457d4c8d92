import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OwnBerth, startBerth } from "../berth.testing.ts";
import { differ, explained, type Found, type Recording } from "./differ.testing.ts";
import { DIFFERENCES } from "./differences.testing.ts";
import { nearestFixture } from "./fixtures.mjs";
import { apiVersionOf, play } from "./play.mjs";

// Of its own, because the recording has all that an engine lists.
let berth: OwnBerth;
let recorded: Recording = {};
let played: Recording = {};
let found: readonly Found[] = [];

beforeAll(async () => {
  berth = await startBerth();
  recorded = JSON.parse(readFileSync(nearestFixture(await apiVersionOf("docker")), "utf8"));
  played = await play(berth.socket);
  found = differ(recorded, played);
}, 300_000);
afterAll(() => berth?.close());

describe("the Docker CLI's flow, beside its recording on dockerd", () => {
  test("is the one that was recorded", () => {
    expect(Object.keys(played)).toEqual(Object.keys(recorded));
  });

  test("differs only where a difference is named", () => {
    const { rest } = explained(found, DIFFERENCES);
    expect(rest.map((one) => `${one.where}: ${one.place}: ${one.recorded} -> ${one.played}`)).toEqual([]);
  });

  test("has every difference that is named", () => {
    expect(explained(found, DIFFERENCES).unused).toEqual([]);
  });
});
