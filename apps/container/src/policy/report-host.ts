import { ask, DirectoryUnavailable } from "@berth/directory-client";
import { EngineError } from "../engine/errors.ts";
import type { ReportHost } from "../engine/host-report.ts";

const TIMEOUT_MS = 10_000;

interface Connection {
  readonly url: string;
  /** The service's own, with the scope `report`. */
  readonly token: string;
  /** The name of this host in the directory. */
  readonly host: string;
  readonly fetch?: typeof fetch;
}

/** Replaces the directory's report of this host. */
export function createReportHost({ url, token, host, fetch: fetching = fetch }: Connection): ReportHost {
  const connection = { url, fetch: fetching, timeout: TIMEOUT_MS };
  const path = `/api/hosts/${encodeURIComponent(host)}/report`;
  return async (report) => {
    const answer = await ask(connection, { method: "PUT", path, token, body: report }).catch((cause: unknown) => {
      if (!(cause instanceof DirectoryUnavailable)) throw cause;
      throw new EngineError("unavailable", "the directory cannot be reached", { cause });
    });
    if (answer.ok) return;
    const isRejected = answer.status === 422 || answer.status === 400 || answer.status === 413;
    throw new EngineError(
      isRejected ? "invalid" : "unavailable",
      `the directory does not take this host's report: ${answer.detail}`,
    );
  };
}
