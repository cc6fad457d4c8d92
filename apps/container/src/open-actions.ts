import type { Opened } from "@berth/service-kit";
import { ActionRecorder } from "./actions/recorder.ts";
import { Refusals } from "./actions/refusals.ts";
import { createActionStore } from "./db/action-store.ts";
import type { Database } from "./db/database.ts";
import type { Action, ActionSink, ReportActions } from "./engine/action.ts";
import type { Log } from "./engine/log.ts";

/** Opens the record of actions, and counts what is refused. */
export function openActions(
  { db, report, log }: { readonly db: Database; readonly report: ReportActions; readonly log: Log },
  opened: Opened,
): { readonly actions: ActionSink; readonly refusals: Refusals } {
  const recorder = opened.keep(new ActionRecorder({ store: createActionStore(db), report, log }), (recorder) =>
    recorder.close(),
  );
  const refusals = new Refusals();
  const record = (action: Action) => {
    recorder.record(action);
    refusals.record(action);
  };
  return { actions: { record }, refusals };
}
