import { expect, it } from "vitest";
import { type Action, OWN } from "../engine/action.ts";
import { Refusals } from "./refusals.ts";

const HOUR_MS = 3_600_000;
const START = Date.parse("2030-01-01T00:00:00.000Z");

function refused(actor: string | undefined, more: Partial<Action> = {}): Action {
  return { ...OWN, via: "token", actor, action: "container.create", outcome: "refused", reason: "denied", ...more };
}

it("counts refusals by user, the latest first, and nothing else", () => {
  let now = START;
  const refusals = new Refusals(() => now);
  refusals.record(refused("7"));
  refusals.record(refused("8", { outcome: "done" }));
  refusals.record(refused("8", { outcome: "failed" }));
  now += 60_000;
  refusals.record(refused(undefined, { reason: "no token" }));
  refusals.record(refused("7", { action: "container.start", reason: "later" }));
  expect(refusals.list()).toEqual([
    { user: "7", count: 2, at: "2030-01-01T00:01:00.000Z", action: "container.start", reason: "later" },
    { user: undefined, count: 1, at: "2030-01-01T00:01:00.000Z", action: "container.create", reason: "no token" },
  ]);
});

it("takes a refused restart for the owner's", () => {
  const refusals = new Refusals();
  refusals.record(refused(undefined, { via: "service", owner: "7" }));
  expect(refusals.list()).toMatchObject([{ user: "7", count: 1 }]);
});

it("forgets what is a day old, and counts from its start", () => {
  let now = START;
  const refusals = new Refusals(() => now);
  refusals.record(refused("7"));
  now += HOUR_MS;
  refusals.record(refused("7"));
  expect([refusals.since, refusals.list()[0]?.count]).toEqual(["2030-01-01T00:00:00.000Z", 2]);
  now = START + 24 * HOUR_MS;
  expect([refusals.since, refusals.list()[0]?.count]).toEqual(["2030-01-01T00:00:00.000Z", 1]);
  now += HOUR_MS;
  expect([refusals.since, refusals.list()]).toEqual(["2030-01-01T01:00:00.000Z", []]);
});

it("bounds how many users it remembers, and forgets the one who was refused longest ago", () => {
  const refusals = new Refusals();
  for (let user = 1; user <= 3_000; user++) refusals.record(refused(String(user)));
  const users = refusals.list().map(({ user }) => user);
  expect([users.length, users[0], users.at(-1)]).toEqual([2_000, "3000", "1001"]);
});
