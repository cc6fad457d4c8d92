import { ask, DirectoryUnavailable } from "@berth/directory-client";
import type { RecordedAction, ReportActions } from "../engine/action.ts";
import { EngineError } from "../engine/errors.ts";
import { userOf } from "../engine/owners.ts";

const TIMEOUT_MS = 10_000;

interface Connection {
  readonly url: string;
  /** The service's own, with the scope `report`. */
  readonly token: string;
  /** The name of this host in the audit. */
  readonly host: string;
  readonly fetch?: typeof fetch;
}

/** Reports actions to the directory's audit, all of a call or none. */
export function createReportActions({ url, token, host, fetch: fetching = fetch }: Connection): ReportActions {
  const connection = { url, fetch: fetching, timeout: TIMEOUT_MS };
  return async (actions) => {
    const body = { host, entries: actions.map(entryOf) };
    const path = "/api/audit/reports";
    const answer = await ask(connection, { method: "POST", path, token, body }).catch((cause: unknown) => {
      if (!(cause instanceof DirectoryUnavailable)) throw cause;
      throw new EngineError("unavailable", "the directory cannot be reached, so it learns later what was done", {
        cause,
      });
    });
    if (answer.ok) return "taken";
    if (answer.status === 422 || answer.status === 400) return "rejected";
    throw new EngineError("unavailable", `the directory does not take reports: ${answer.detail}`);
  };
}

/** The entry as `POST /api/audit/reports` takes it. */
function entryOf({ reportId, at, actor, action, target, outcome, bypass, ...facts }: RecordedAction): object {
  const { login, via, address, name, owner, image, reason, count } = facts;
  return {
    reportId,
    at,
    actor: idOf(actor) ?? null,
    action,
    target,
    outcome,
    bypass,
    details: { login, via, address, name, ownerId: idOf(owner), image, reason, count },
  };
}

/** The user's id in the directory, also of what is in a place of the user. */
function idOf(text: string | undefined): number | undefined {
  const user = text && userOf(text);
  return user === undefined || !/^[1-9]\d{0,15}$/.test(user) ? undefined : Number(user);
}
