import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EngineError } from "../engine/errors.ts";
import { viewerOf } from "../engine/owners.ts";
import { FAILURES, Steps } from "../engine/steps.testing.ts";
import { MemoryVolumes } from "./memory-volumes.testing.ts";
import { LocalVolumes } from "./volumes-service.ts";

const OUTSIDE = { events: { emit: () => undefined }, now: () => "2026-01-01T00:00:00Z" };
const HOST = viewerOf(undefined);
const WISH = { name: "data", anonymous: false, owner: undefined, driver: "", options: {}, labels: {} };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(memory: MemoryVolumes, steps: Steps): Promise<LocalVolumes> {
  return LocalVolumes.open(
    steps.in(memory.store, "rows", ["insert", "delete"]),
    // mkdir(2) makes the folder or fails.
    steps.in(memory.folders, "folders", ["make", "setAside", "putBack", "discard"], { atomic: ["make"] }),
    OUTSIDE,
  );
}

it.each((["create", "remove"] as const).flatMap((kind) => FAILURES.map((failure) => ({ kind, failure }))))(
  "a $kind that fails $failure one of its steps is either done or undone",
  async ({ kind, failure }) => {
    for (let step = 0; ; step++) {
      const memory = new MemoryVolumes();
      const steps = new Steps();
      const first = await open(memory, steps);
      if (kind === "remove") await first.create(WISH);
      steps.failAt(step, failure, new EngineError("unavailable", "this step failed"));
      const ended = (
        kind === "create" ? first.create(WISH) : first.remove(first.get("data", HOST), { inUse: new Set() })
      ).then(
        () => undefined,
        () => undefined,
      );
      await Promise.race([ended, steps.crash]);
      const calls = [...steps.calls];
      if (calls.length <= step) {
        expect(step).toBeGreaterThan(0);
        return;
      }
      steps.heal();
      const after = failure.startsWith("crash") ? await open(memory, new Steps()) : first;
      await vi.advanceTimersByTimeAsync(20_000);
      const at = `step ${step} of ${calls.join(", ")}`;
      const there = after.find("data", HOST) === undefined ? [] : ["data"];
      expect([...memory.rows.keys()], at).toEqual(there);
      expect([...memory.removed], at).toEqual([]);
      if (kind === "remove" || there.length > 0) expect([...memory.made], at).toEqual(there);
      // It can be made and removed as ever.
      await after.create(WISH);
      await after.remove(after.get("data", HOST), { inUse: new Set() });
      await vi.advanceTimersByTimeAsync(20_000);
      expect([memory.rows.size, memory.made.size, memory.removed.size], at).toEqual([0, 0, 0]);
    }
  },
);
