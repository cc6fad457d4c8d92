import { expect, test } from "vitest";
import type { WantedPlace } from "../engine/fleet-report.ts";
import type { Place } from "../places/place.ts";
import { planOf } from "./plan.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const SIZE = { memory: 2 ** 30, cpu: 1, pids: 10 };

function wanted(grant: number, secondsLeft?: number): WantedPlace {
  return { grant, name: `n${grant}`, user: "7", size: SIZE, ports: [], secondsLeft, pod: undefined };
}

function place(grant: number, state: Place["state"], seconds?: number): Place {
  const until = seconds === undefined ? undefined : new Date(NOW + seconds * 1_000).toISOString();
  const rest = { size: SIZE, ports: [], login: "ann", since: "2029-12-31T00:00:00Z" };
  return { id: `7@n${grant}`, name: `n${grant}`, user: "7", grant, state, until, podGroup: undefined, ...rest };
}

test.each<[string, readonly WantedPlace[], readonly Place[], readonly number[], object]>([
  ["takes what it lacks", [wanted(1)], [], [], { take: [wanted(1)] }],
  ["takes nothing twice", [wanted(1)], [], [1], {}],
  ["waits while it is being taken", [wanted(1)], [place(1, "taken")], [], {}],
  ["keeps what it should have", [wanted(1)], [place(1, "ready")], [], {}],
  ["gives what it should not have", [], [place(1, "ready")], [], { give: ["7@n1"] }],
  ["gives a place of the same name that was lost", [wanted(2)], [place(1, "ready")], [2], { give: ["7@n1"] }],
  ["leaves alone what ends", [], [place(1, "ending")], [], {}],
  ["leaves alone what is being taken", [], [place(1, "taken")], [], {}],
  ["extends", [wanted(1, 120)], [place(1, "ready", 60)], [], { extend: [{ id: "7@n1", seconds: 120 }] }],
  ["never shortens", [wanted(1, 60)], [place(1, "ready", 120)], [], {}],
  ["takes rounding for nothing", [wanted(1, 60.3)], [place(1, "ready", 60)], [], {}],
])("%s", (_, should, has, taking, plan) => {
  expect(planOf(should, has, new Set(taking), NOW)).toEqual({ take: [], extend: [], give: [], ...plan });
});
