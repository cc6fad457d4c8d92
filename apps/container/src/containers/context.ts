import type { EventSink } from "../events/events.ts";
import type { Images } from "../images/images.ts";
import type { Networks } from "../networks/networks.ts";
import type { HostDefaults } from "../policy/facts.ts";
import type { Ports } from "../ports/ports.ts";
import type { Volumes } from "../volumes/volumes.ts";
import type { ContainerId } from "./container.ts";
import type { ContainerFiles } from "./files.ts";
import type { HealthMonitor } from "./health-monitor.ts";
import type { KeyedLock } from "./lock.ts";
import type { Registry } from "./registry.ts";
import type { Runtime } from "./runtime.ts";
import type { Supervisor } from "./supervisor.ts";
import type { Chance, Log } from "./surroundings.ts";
import type { Processors } from "./validate-resources.ts";

/** What the container use cases stand on. */
export interface Context {
  readonly registry: Registry;
  /** Held by whatever changes what runs: start, the handling of an exit, removal. */
  readonly locks: KeyedLock<ContainerId>;
  /** Held by whatever adds to what an owner has, so that two requests at once never exceed its quota together. */
  readonly owners: KeyedLock<string>;
  readonly supervisor: Supervisor;
  readonly health: HealthMonitor;
  readonly runtime: Runtime;
  readonly images: Images;
  readonly networks: Networks;
  readonly ports: Ports;
  readonly volumes: Volumes;
  readonly files: ContainerFiles;
  readonly events: EventSink;
  readonly chance: Chance;
  readonly log: Log;
  /** What its processors can do, and what containers get by default. */
  readonly host: HostDefaults & Processors;
}
