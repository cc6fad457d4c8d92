import { describe, expect, it } from "vitest";
import { type Filters, parseFilters } from "../engine/filters.ts";
import type { EngineEvent } from "./events.ts";
import { createJournal } from "./journal.ts";

function event(action: string, more: Partial<EngineEvent> = {}): Omit<EngineEvent, "time"> {
  return {
    type: "container",
    action,
    actor: { id: "abc123", attributes: { name: "web", image: "busybox:latest", team: "a" } },
    owner: undefined,
    ...more,
  };
}

const EVERYTHING = { sees: () => true, filters: new Map() as Filters };

async function collect(events: AsyncIterable<readonly EngineEvent[]>): Promise<readonly string[]> {
  const actions: string[] = [];
  for await (const piece of events) actions.push(...piece.map(({ action }) => action));
  return actions;
}

/** A journal with a clock stopped at `at` nanoseconds and the given events at 1, 2, 3, …. */
function journalOf(actions: readonly string[], at: bigint, capacity = 100) {
  let time = 0n;
  const journal = createJournal({ capacity, now: () => time });
  for (const action of actions) {
    time += 1n;
    journal.emit(event(action));
  }
  time = at;
  return journal;
}

const SIGNAL = new AbortController().signal;

describe("stored events", () => {
  it.each([
    [{ since: 0n, until: 5n }, ["a", "b", "c"]],
    [{ since: 2n, until: 5n }, ["b", "c"]],
    [{ since: 0n, until: 2n }, ["a", "b"]],
    [{ until: 5n }, []],
    [{ since: 9n, until: 9n }, []],
  ])("%o", async (bounds, actions) => {
    expect(await collect(journalOf(["a", "b", "c"], 10n).read({ ...bounds, ...EVERYTHING, signal: SIGNAL }))).toEqual(
      actions,
    );
  });

  it("keeps a bounded number of bytes, and the newest event whatever its size", async () => {
    let time = 0n;
    const journal = createJournal({ maxBytes: 10_000, now: () => time });
    for (const label of ["x".repeat(3_000), "y".repeat(3_000), "z".repeat(30_000)]) {
      time += 1n;
      journal.emit(event(`with ${label[0]}`, { actor: { id: "abc123", attributes: { label } } }));
      const read = journal.read({ since: time, until: time, ...EVERYTHING, signal: SIGNAL });
      expect(await collect(read)).toEqual([`with ${label[0]}`]);
    }
    time = 10n;
    const kept = journal.read({ since: 0n, until: 9n, ...EVERYTHING, signal: SIGNAL });
    expect(await collect(kept)).toEqual(["events-cut", "with z"]);
    journal.emit(event("small"));
    time = 20n;
    const afterwards = journal.read({ since: 0n, until: 19n, ...EVERYTHING, signal: SIGNAL });
    expect(await collect(afterwards)).toEqual(["events-cut", "small"]);
  });

  it("notifies a reader that older events are gone", async () => {
    const journal = journalOf(["a", "b", "c", "d"], 10n, 2);
    expect(await collect(journal.read({ since: 0n, until: 9n, ...EVERYTHING, signal: SIGNAL }))).toEqual([
      "events-cut",
      "c",
      "d",
    ]);
    expect(await collect(journal.read({ since: 3n, until: 9n, ...EVERYTHING, signal: SIGNAL }))).toEqual(["c", "d"]);
  });

  it("come some at a time, so that a long history is few chunks", async () => {
    const journal = journalOf(Array.from({ length: 130 }, String), 200n, 1000);
    const lengths: number[] = [];
    for await (const piece of journal.read({ since: 0n, until: 199n, ...EVERYTHING, signal: SIGNAL }))
      lengths.push(piece.length);
    expect(lengths).toEqual([64, 64, 2]);
  });

  it("gives each event a later time than the one before, even if the clock stands still", async () => {
    const journal = createJournal({ now: () => 5n });
    journal.emit(event("a"));
    journal.emit(event("b"));
    const times: bigint[] = [];
    for await (const piece of journal.read({ since: 0n, until: 5n, ...EVERYTHING, signal: SIGNAL }))
      times.push(...piece.map(({ time }) => time));
    expect(times).toEqual([5n]);
  });
});

describe("followed events", () => {
  it("includes events emitted between the call and the first read", async () => {
    const journal = createJournal();
    const gone = new AbortController();
    const events = journal.read({ ...EVERYTHING, signal: gone.signal })[Symbol.asyncIterator]();
    journal.emit(event("a"));
    expect((await events.next()).value?.[0]?.action).toBe("a");
    const waiting = events.next();
    journal.emit(event("b"));
    expect((await waiting).value?.[0]?.action).toBe("b");
    const last = events.next();
    gone.abort();
    expect((await last).done).toBe(true);
  });

  it("ends at a future `until`", async () => {
    const journal = createJournal();
    const until = BigInt(Date.now() + 30) * 1_000_000n;
    expect(await collect(journal.read({ until, ...EVERYTHING, signal: SIGNAL }))).toEqual([]);
  });

  it("ends by its timer although the clock stands still", async () => {
    const journal = createJournal({ now: () => 5n });
    expect(await collect(journal.read({ until: 6n, ...EVERYTHING, signal: SIGNAL }))).toEqual([]);
  });

  it("notifies and ends a reader that the ring overtook, without blocking others", async () => {
    const journal = createJournal({ capacity: 3 });
    const slow = journal.read({ ...EVERYTHING, signal: SIGNAL })[Symbol.asyncIterator]();
    journal.emit(event("0"));
    expect((await slow.next()).value?.[0]?.action).toBe("0");
    for (const action of ["1", "2", "3", "4", "5"]) journal.emit(event(action));
    const told = await slow.next();
    expect(told.value?.[0]).toMatchObject({ type: "daemon", action: "events-cut" });
    expect((await slow.next()).done).toBe(true);
  });

  it("filters events by what the reader may see", async () => {
    const journal = journalOf(["a", "b"], 10n);
    const sees = ({ action }: EngineEvent) => action === "b";
    expect(await collect(journal.read({ since: 0n, until: 9n, filters: new Map(), sees, signal: SIGNAL }))).toEqual([
      "b",
    ]);
  });
});

describe("filters", () => {
  it.each([
    ['{"event":["die"]}', event("die"), true],
    ['{"event":["die"]}', event("start"), false],
    ['{"event":["exec_start"]}', event("exec_start: sh"), true],
    ['{"event":["start"]}', event("started"), false],
    ['{"type":["container"]}', event("a"), true],
    ['{"type":["image"]}', event("a"), false],
    ['{"container":["web"]}', event("a"), true],
    ['{"container":["abc"]}', event("a"), true],
    ['{"container":["other"]}', event("a"), false],
    ['{"image":["busybox"]}', event("a"), true],
    ['{"image":["busybox:latest"]}', event("a"), true],
    ['{"image":["busy"]}', event("a"), false],
    ['{"label":["team=a"]}', event("a"), true],
    ['{"label":["team=b"]}', event("a"), false],
    ['{"scope":["local"]}', event("a"), true],
    ['{"scope":["swarm"]}', event("a"), false],
    ['{"service":["x"]}', event("a"), false],
    ['{"container":["web"],"event":["die","start"]}', event("start"), true],
    ['{"container":["web"],"event":["die"]}', event("start"), false],
  ])("%s of %o", async (filters, emitted, passes) => {
    const journal = createJournal({ now: () => 1n });
    journal.emit(emitted);
    const options = { since: 0n, until: 1n, filters: parseFilters(filters), sees: () => true, signal: SIGNAL };
    expect(await collect(journal.read(options))).toHaveLength(passes ? 1 : 0);
  });
});
