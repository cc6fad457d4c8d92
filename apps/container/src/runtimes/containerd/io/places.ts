import { join } from "node:path";

/** Where one instance keeps what belongs to its containers. */
export interface Places {
  /** Lasts: a container's log and its last exit. */
  container(id: string): string;
  log(id: string): string;
  exit(id: string): string;
  /** Where the last exit is while it cannot be written there. */
  exitOnFullDisk(id: string): string;
  /** Ends with the uptime: a container's FIFOs. */
  io(id: string): string;
  /** The folder of all of those. */
  readonly ios: string;
  stdin(id: string): string;
  /** There while a start is under way, and after one that was cut off. */
  starting(id: string): string;
  /** Which processes the container's task has. */
  processes(id: string): string;
  /** Held open by the logger. */
  alive(id: string): string;
  readonly fifos: string;
  /** For mounts that last no longer than a call. */
  readonly mounts: string;
  /** For sources of mounts, while a container is made. */
  readonly pins: string;
}

export function placesOf({ stateDir, runDir }: { readonly stateDir: string; readonly runDir: string }): Places {
  const container = (id: string) => join(stateDir, "containers", id);
  const ios = join(runDir, "io");
  const io = (id: string) => join(ios, id);
  return {
    container,
    log: (id) => `${stateDir}/containers/${id}/${id}-json.log`,
    exit: (id) => join(container(id), "exit.json"),
    exitOnFullDisk: (id) => join(io(id), "exit.json"),
    io,
    ios,
    stdin: (id) => join(io(id), "stdin"),
    starting: (id) => join(io(id), "starting"),
    processes: (id) => join(io(id), "processes.json"),
    alive: (id) => join(io(id), "alive"),
    fifos: join(runDir, "fifos"),
    mounts: join(runDir, "mounts"),
    pins: join(runDir, "pins"),
  };
}
