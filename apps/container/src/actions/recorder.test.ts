import { afterEach, beforeEach, expect, it } from "vitest";
import { createActionStore } from "../db/action-store.ts";
import { openTestDatabase } from "../db/database.testing.ts";
import type { OpenDatabase } from "../db/database.ts";
import type { Action, RecordedAction, ReportActions } from "../engine/action.ts";
import { EngineError } from "../engine/errors.ts";
import { ActionRecorder } from "./recorder.ts";
import type { ActionStore } from "./store.ts";

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

function someAction(fields: Partial<Action> = {}): Action {
  return {
    actor: "7",
    login: "ann",
    via: "token",
    address: "192.0.2.7",
    action: "container.start",
    target: "container/web",
    name: "web",
    owner: "7",
    image: "nginx",
    outcome: "done",
    bypass: false,
    reason: undefined,
    ...fields,
  };
}

let database: OpenDatabase;
let store: ActionStore;
beforeEach(async () => {
  database = await openTestDatabase();
  store = createActionStore(database.db);
});
afterEach(() => database.close());

/** A directory that keeps what it takes; `away` lets it throw, `rejects` refuses a whole report for one of its entries. */
class Taker {
  readonly taken: RecordedAction[] = [];
  away = false;
  rejects = (_: RecordedAction): boolean => false;
  readonly report: ReportActions = async (actions) => {
    if (this.away) throw new EngineError("unavailable", "away");
    if (actions.some(this.rejects)) return "rejected";
    const known = new Set(this.taken.map(({ reportId }) => reportId));
    this.taken.push(...actions.filter(({ reportId }) => !known.has(reportId)));
    return "taken";
  };
  get targets(): readonly string[] {
    return this.taken.map(({ target }) => target);
  }
}

function open(taker: Taker, over: ActionStore = store): ActionRecorder {
  return new ActionRecorder({ store: over, report: taker.report, log: LOG, firstPauseMs: 5, mostQueued: 500 });
}

const TARGETS = Array.from({ length: 450 }, (_, n) => `container/c${n}`);

it("sends what was recorded in its order, and keeps no row of it", async () => {
  const taker = new Taker();
  const recorder = open(taker);
  for (const target of TARGETS) recorder.record(someAction({ target }));
  await expect.poll(() => taker.targets).toEqual(TARGETS);
  await expect.poll(() => store.oldest(1)).toEqual([]);
  const { reason: _, ...first } = someAction({ target: TARGETS[0] ?? "" });
  expect(taker.taken[0]).toMatchObject(first);
  await recorder.close();
});

it("keeps rows while the directory is away, over an end of the service, and sends them later", async () => {
  const taker = new Taker();
  taker.away = true;
  const first = open(taker);
  for (const target of TARGETS) first.record(someAction({ target }));
  await first.close();
  expect(await store.oldest(1_000)).toHaveLength(TARGETS.length);
  const second = open(taker);
  second.record(someAction({ target: "container/last" }));
  taker.away = false;
  await expect.poll(() => taker.targets).toEqual([...TARGETS, "container/last"]);
  await second.close();
});

it("writes rows once the database is back", async () => {
  let isAway = true;
  let isLost = true;
  const taker = new Taker();
  const recorder = open(taker, {
    ...store,
    insert: async (actions) => {
      if (isAway) throw new EngineError("unavailable", "database unavailable");
      await store.insert(actions);
      const wasLost = isLost;
      isLost = false;
      // The connection was lost after the commit: the same rows come again.
      if (wasLost) throw new EngineError("unavailable", "database unavailable");
    },
  });
  recorder.record(someAction());
  recorder.record(someAction({ target: "container/other" }));
  isAway = false;
  await expect.poll(() => taker.targets).toEqual(["container/web", "container/other"]);
  await expect.poll(() => store.oldest(10)).toEqual([]);
  isAway = true;
  await recorder.close();
});

it("drops an entry that the directory rejects, and no other", async () => {
  const taker = new Taker();
  taker.rejects = ({ target }) => target === "container/c7";
  const recorder = open(taker);
  for (const target of TARGETS.slice(0, 20)) recorder.record(someAction({ target }));
  await expect.poll(() => store.oldest(1)).toEqual([]);
  await expect.poll(() => taker.targets).toEqual(TARGETS.slice(0, 20).filter((target) => target !== "container/c7"));
  await recorder.close();
});

it("holds a bounded number in memory, and leaves a mark where some are missing", async () => {
  let isAway = true;
  const taker = new Taker();
  const recorder = open(taker, {
    ...store,
    insert: async (actions) => {
      if (isAway) throw new EngineError("unavailable", "database unavailable");
      await store.insert(actions);
    },
  });
  for (let n = 0; n < 550; n++) recorder.record(someAction());
  isAway = false;
  await expect.poll(() => taker.taken.length).toBe(501);
  expect(taker.taken.filter(({ action }) => action === "engine.gap")).toMatchObject([{ count: 50, outcome: "failed" }]);
  await recorder.close();
});

it("counts a flood of refusals instead of recording each", async () => {
  const taker = new Taker();
  const recorder = open(taker);
  for (let n = 0; n < 1_000; n++) recorder.record(someAction({ outcome: "refused", reason: `no ${n}` }));
  recorder.record(someAction({ outcome: "refused", actor: "8" }));
  await recorder.close();
  const rows = await store.oldest(100);
  expect(rows.filter(({ actor }) => actor === "8")).toHaveLength(1);
  const counts = [...taker.taken, ...rows].filter(({ actor }) => actor === "7").map(({ count }) => count);
  expect(counts).toEqual([...Array<undefined>(10).fill(undefined), 990]);
});

it("keeps a bounded number of rows, the newest", async () => {
  const entry = (n: number): RecordedAction => ({
    ...someAction({ target: `container/c${n}` }),
    reportId: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    at: "2030-01-01T00:00:00.000Z",
    count: undefined,
  });
  await store.insert(Array.from({ length: 10 }, (_, n) => entry(n)));
  expect(await store.trim(4)).toBe(6);
  expect(await store.trim(4)).toBe(0);
  expect((await store.oldest(10)).map(({ target }) => target)).toEqual(TARGETS.slice(6, 10));
});
