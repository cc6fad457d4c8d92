import { type DestinationStream, type LevelWithSilent, type Logger, pino } from "pino";

/** Lines that cannot be written are kept up to this many bytes; what comes after is dropped. */
const KEPT_BYTES = 1 << 20;

/**
 * Where a service's log goes: its standard error, unless `target` names another descriptor or file. A write that fails, as on a full disk,
 * is repeated with the next line and never ends the service.
 */
export function logDestination(target: number | string = 2): DestinationStream {
  const destination = pino.destination({ dest: target, sync: true, maxLength: KEPT_BYTES });
  // Without a listener the error would end the process; there is nobody else to tell.
  destination.on("error", () => {});
  return destination;
}

/** Prints a line to the standard output. Where that is full or closed nobody is told, and the service goes on. */
export function announce(line: string): void {
  process.stdout.once("error", () => {});
  process.stdout.write(`${line}\n`);
}

/**
 * A service's log of JSON lines. A logged error is under `err`, with its causes and stacks, but without the parameters of SQL statements,
 * which can hold password hashes and containers' environments.
 */
export function createLog(
  service: string,
  options: { readonly level: LevelWithSilent; readonly destination: DestinationStream },
): Logger {
  const redact = ["*.pass", "*.password", "*.token", "*.authorization"];
  const { level, destination } = options;
  return pino({ level, base: { service }, redact, serializers: { err: shownFault } }, destination);
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
    // Drizzle appends the parameters to the message of a failed statement, and the stack starts with the message.
    message: fault.message.split("\nparams: ", 1)[0] ?? "",
    stack: (fault.stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line)),
    ...(fault.cause === undefined ? {} : { cause: shownFault(fault.cause) }),
  };
}
