import type { Logger } from "pino";

/** Logs the cause of a 500. The query is omitted, because clients sometimes put secrets there. */
export function logFault(log: Logger, fault: unknown, request: Request): void {
  log.error({ err: fault, method: request.method, path: new URL(request.url).pathname }, "request failed");
}
