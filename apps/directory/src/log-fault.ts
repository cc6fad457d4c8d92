import type { Logger } from "pino";

/** Tells of a request that was answered with 500. Its query may hold what does not belong there, and is left out. */
export function logFault(log: Logger, fault: unknown, request: Request): void {
  log.error({ err: fault, method: request.method, path: new URL(request.url).pathname }, "fault");
}
