import type { EventSink } from "../../events/events.ts";
import type { Container } from "./container.ts";

/** Emits a container event with Docker's attributes: image, name and labels. */
export function containerEvent(
  { events }: { readonly events: EventSink },
  container: Container,
  action: string,
  attributes: Readonly<Record<string, string>> = {},
): void {
  events.emit({
    type: "container",
    action,
    owner: container.owner,
    actor: {
      id: container.id,
      attributes: { image: container.image, name: container.name, ...container.config.Labels, ...attributes },
    },
  });
}

/** A journal keeps thousands of events, so that each shows only the beginning of a long command. */
const MAX_EVENT_BYTES = 1024;

/** The command in event texts: program, space, arguments, cut if long. The space stays even without arguments. */
function commandLine([program = "", ...rest]: readonly string[]): string {
  const line = `${program} ${rest.join(" ")}`;
  if (line.length <= MAX_EVENT_BYTES) return line;
  // Copy: a slice would keep the whole text in memory. A character that is cut decodes to U+FFFD.
  const beginning = Buffer.from(line.slice(0, MAX_EVENT_BYTES)).subarray(0, MAX_EVENT_BYTES).toString();
  return `${beginning.replace(/\uFFFD+$/, "")}…`;
}

/** Emits the event of an exec, a client's or a health check's. */
export function execEvent(
  context: { readonly events: EventSink },
  container: Container,
  action: "create" | "start" | "die",
  exec: { readonly id: string; readonly cmd?: readonly string[]; readonly exitCode?: number },
): void {
  const { id, cmd, exitCode } = exec;
  const text = cmd === undefined ? `exec_${action}` : `exec_${action}: ${commandLine(cmd)}`;
  const ended = exitCode === undefined ? {} : { exitCode: String(exitCode) };
  containerEvent(context, container, text, { execID: id, ...ended });
}
