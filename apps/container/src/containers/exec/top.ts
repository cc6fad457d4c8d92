import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { Context } from "../context.ts";
import { containerEvent } from "../records/container-event.ts";
import { isRunning } from "../records/state.ts";

/** The host's process list. */
export interface ProcessList {
  /** Runs the host's `ps` with these arguments and returns its lines, the header first. */
  ps(args: readonly string[]): Promise<readonly string[]>;
}

/** Only options that select columns: others make ps read files and environments (moby `validatePSArgs`). */
const PLAIN = /^[a-zA-Z0-9_,.%:= -]*$/;

/** A column renamed to PID would defeat the filter by process (moby `validatePSArgs`). */
const FOREIGN_PID = /(?<![\w.%:-])(?!pid=PID(?![\w.%:-]))[\w.%:-]*=\S*PID\S*/;

/**
 * `GET /containers/{id}/top`: runs the host's ps and keeps the container's processes by the PID column (moby `daemon/top_unix.go`).
 * Throws `invalid` if the arguments select no such column.
 */
export async function topContainer(
  context: Pick<Context, "registry" | "runtime" | "events">,
  processList: ProcessList,
  actor: Actor,
  ref: string,
  psArgs: string,
): Promise<{ readonly titles: readonly string[]; readonly processes: readonly (readonly string[])[] }> {
  const { registry, runtime } = context;
  const container = registry.resolve(actor, ref);
  const { id, state } = container;
  if (!isRunning(state)) throw new EngineError("conflict", `container ${id} is not running`);
  const asked = psArgs.trim() || "-ef";
  if (!PLAIN.test(asked))
    throw new EngineError(
      "invalid",
      `ps arguments ${JSON.stringify(asked)} have a character that ps arguments do not need`,
    );
  const renamed = FOREIGN_PID.exec(asked);
  if (renamed) throw new EngineError("invalid", `specifying ${JSON.stringify(renamed[0])} is not allowed`);
  const pids = await runtime.processes(id);
  const processes = new Set(pids);
  const options = asked.split(/\s+/);
  // A list of these alone costs less than one of the whole host, but `f` and some others do not go with `-q`.
  const [header = "", ...lines] = await processList
    .ps([...options, `-q${pids.join(",")}`])
    .catch(() => processList.ps(options));
  const titles = header.trim().split(/\s+/);
  const pidColumn = titles.indexOf("PID");
  if (pidColumn < 0) throw new EngineError("invalid", "Couldn't find PID field in ps output");
  const rows = lines.map((line) => {
    const words = line.trim().split(/\s+/);
    // The last column is the command and keeps its spaces.
    return [...words.slice(0, titles.length - 1), words.slice(titles.length - 1).join(" ")];
  });
  containerEvent(context, container, "top");
  return { titles, processes: rows.filter((row) => processes.has(Number(row[pidColumn]))) };
}
