import type { Action } from "../engine/action.ts";

/** How many refusals of one kind by one actor are recorded one by one in a window; further ones are only counted. */
const EACH = 10;
const WINDOW_MS = 60_000;
/** Bounds the memory: actors and actions that are counted at the same time. */
const MOST_WINDOWS = 10_000;

interface Window {
  readonly since: number;
  seen: number;
  last: Action;
}

/** An action, and how many it stands for. */
export interface Counted {
  readonly action: Action;
  readonly count: number | undefined;
}

/**
 * Thins out what costs its sender nothing: of refusals and failures of one action by one actor, a few a minute pass one by one, and the
 * rest as one entry with their number. What was done always passes.
 */
export class Repeats {
  readonly #windows = new Map<string, Window>();

  /** What to record now: nothing, the action, or what earlier windows counted and the action. */
  pass(action: Action, now: number): readonly Counted[] {
    if (action.outcome === "done") return [{ action, count: undefined }];
    const key = `${action.actor ?? action.via} ${action.action} ${action.outcome}`;
    const ended = this.#end((window, of) => now - window.since >= WINDOW_MS || (of !== key && this.#isFull()));
    const window = this.#windows.get(key);
    if (window === undefined) {
      this.#windows.set(key, { since: now, seen: 1, last: action });
      return [...ended, { action, count: undefined }];
    }
    window.seen += 1;
    window.last = action;
    return window.seen <= EACH ? [...ended, { action, count: undefined }] : ended;
  }

  /** What windows that have ended have counted; all of them with `now` left out. */
  flush(now?: number): readonly Counted[] {
    return this.#end((window) => now === undefined || now - window.since >= WINDOW_MS);
  }

  #isFull(): boolean {
    return this.#windows.size >= MOST_WINDOWS;
  }

  #end(isOver: (window: Window, key: string) => boolean): readonly Counted[] {
    const counted: Counted[] = [];
    for (const [key, window] of this.#windows) {
      // In the order of their beginnings.
      if (!isOver(window, key)) break;
      this.#windows.delete(key);
      if (window.seen > EACH) counted.push({ action: window.last, count: window.seen - EACH });
    }
    return counted;
  }
}
