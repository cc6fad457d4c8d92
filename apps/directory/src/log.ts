import { type DestinationStream, type Logger, pino } from "pino";

/**
 * The service's log: JSON lines. What is thrown is told with its causes and where it came from, but without the values that
 * a statement was run with, among which are hashes.
 */
export function createLog(level: "debug" | "info" | "warn" | "error", destination: DestinationStream): Logger {
  const redact = ["*.pass", "*.token", "*.authorization"];
  return pino({ level, base: { service: "directory" }, redact, serializers: { err: shownFault } }, destination);
}

/** Tells of a request that was answered with 500. Its query may hold what does not belong there, and is left out. */
export function logFault(log: Logger, fault: unknown, request: Request): void {
  log.error({ err: fault, method: request.method, path: new URL(request.url).pathname }, "fault");
}

interface ShownFault {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack: readonly string[];
  readonly cause?: ShownFault;
}

function shownFault(fault: unknown): ShownFault {
  if (!(fault instanceof Error)) return { name: typeof fault, message: "no error was thrown, but a value", stack: [] };
  const { code } = fault as { readonly code?: unknown };
  return {
    name: fault.name,
    ...(typeof code === "string" ? { code } : {}),
    // Drizzle ends the message of a failed statement with its values, and the stack begins with the message.
    message: fault.message.split("\nparams: ", 1)[0] ?? "",
    stack: (fault.stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line)),
    ...(fault.cause === undefined ? {} : { cause: shownFault(fault.cause) }),
  };
}
