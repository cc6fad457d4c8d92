import type { EventSink } from "../events/events.ts";
import type { Images } from "../images/images.ts";
import type { Networks } from "../networks/networks.ts";
import type { Ports } from "../ports/ports.ts";
import type { Volumes } from "../volumes/volumes.ts";
import type { ContainerId } from "./container.ts";
import type { ContainerFiles } from "./files.ts";
import type { KeyedLock } from "./lock.ts";
import type { Registry } from "./registry.ts";
import type { Runtime } from "./runtime.ts";
import type { Supervisor } from "./supervisor.ts";

export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Time and chance come from outside, so that a test can give its own. */
export interface Chance {
  /** RFC 3339, UTC, as fine as the clock is. */
  now(): string;
  containerId(): ContainerId;
  volumeName(): string;
  execId(): string;
  /** A whole number below the argument. */
  below(bound: number): number;
}

export interface Host {
  /** The host's `ps` with these arguments: its lines, the header first. */
  ps(args: readonly string[]): Promise<readonly string[]>;
}

/** What the container use cases stand on. */
export interface Context {
  readonly registry: Registry;
  /** Held by whatever changes what runs: start, the handling of an exit, removal. */
  readonly locks: KeyedLock<ContainerId>;
  readonly supervisor: Supervisor;
  readonly runtime: Runtime;
  readonly images: Images;
  readonly networks: Networks;
  readonly ports: Ports;
  readonly volumes: Volumes;
  readonly files: ContainerFiles;
  readonly events: EventSink;
  readonly chance: Chance;
  readonly log: Log;
}
