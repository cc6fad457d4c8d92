import { expect, test } from "vitest";
import type { FleetPlace } from "./place.ts";
import { type HostReport, isSettled, planOf } from "./report.ts";

function place(id: number, state: FleetPlace["state"], secondsLeft?: number): FleetPlace {
  const size = { memory: 1, cpu: 1, pids: 1 };
  const rest = { size, ports: [], since: "2030-01-01T00:00:00.000Z", containers: 0, pod: undefined };
  return { id, name: "ci", userId: 7, host: "h1", state, secondsLeft, ...rest };
}

function report(...places: readonly [number, "taken" | "ready" | "ending", (number | null)?][]): HostReport {
  return {
    turn: 1,
    places: places.map(([grant, state, secondsLeft = null]) => ({ grant, state, secondsLeft, containers: 0 })),
    refused: [],
  };
}

const NOTHING = { ready: [], ending: [], gone: [] };

test.each<[string, FleetPlace, HostReport, object]>([
  ["has not heard of a place yet", place(1, "wanted"), report(), {}],
  ["is just taking it", place(1, "wanted"), report([1, "taken"]), {}],
  ["has it", place(1, "wanted"), report([1, "ready"]), { ready: [1] }],
  ["still has it", place(1, "ready"), report([1, "ready"]), {}],
  ["has never got it in its time", place(1, "wanted", -1), report(), { gone: [{ id: 1, reason: undefined }] }],
  ["ends it", place(1, "ready"), report([1, "ending"]), { ending: [1] }],
  ["ended it", place(1, "ready"), report(), { gone: [{ id: 1, reason: undefined }] }],
  ["still has what was given back", place(1, "ending"), report([1, "ready"]), {}],
  ["is just taking what was given back", place(1, "ending"), report([1, "taken"]), {}],
  ["has nothing left of what was given back", place(1, "ending"), report(), { gone: [{ id: 1, reason: undefined }] }],
  ["has a place of nobody", place(1, "ready"), report([1, "ready"], [9, "ready"]), {}],
  [
    "refuses it",
    place(1, "wanted"),
    { ...report(), refused: [{ grant: 1, reason: "no room" }] },
    { gone: [{ id: 1, reason: "no room" }] },
  ],
])("a host that %s", (_, known, said, plan) => {
  expect(planOf([known], said)).toEqual({ ...NOTHING, ...plan });
});

test.each<[string, readonly FleetPlace[], HostReport, boolean]>([
  ["has nothing and should not", [], report(), true],
  ["has what it should have", [place(1, "ready")], report([1, "ready"]), true],
  ["is taking it", [place(1, "wanted")], report([1, "taken"]), true],
  ["lacks a place", [place(1, "wanted")], report(), false],
  ["has one too many", [], report([1, "ready"]), false],
  ["is ending that", [], report([1, "ending"]), true],
  ["has it for long enough", [place(1, "ready", 60)], report([1, "ready", 60.2]), true],
  ["has it for too short", [place(1, "ready", 120)], report([1, "ready", 60]), false],
  ["has it until it is given back", [place(1, "ready", 120)], report([1, "ready", null]), true],
])("a host that %s waits or not", (_, wanted, said, waits) => {
  expect(isSettled(wanted, said)).toBe(waits);
});
