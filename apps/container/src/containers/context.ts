import type { ActionSink } from "../engine/action.ts";
import type { Actor } from "../engine/actor.ts";
import type { Clock } from "../engine/clock.ts";
import type { KeyedLock } from "../engine/concurrency/keyed-lock.ts";
import type { HostDefaults } from "../engine/host-defaults.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import type { Random } from "../engine/random.ts";
import type { EventSink } from "../events/events.ts";
import type { Images } from "../images/images.ts";
import type { Networks } from "../networks/networks.ts";
import type { HeldQuotas } from "../policy/held-quotas.ts";
import type { Ports } from "../ports/ports.ts";
import type { Volumes } from "../volumes/volumes.ts";
import type { Processors } from "./create/rules/limits.ts";
import type { HealthMonitor } from "./lifecycle/health-monitor.ts";
import type { Supervisor } from "./lifecycle/supervisor.ts";
import type { ContainerFiles } from "./records/files.ts";
import type { LogRotation } from "./records/log-options.ts";
import type { Registry } from "./records/registry.ts";
import type { Runtime } from "./records/runtime.ts";
import type { Storage } from "./storage/storage.ts";

/** What the container use cases depend on. */
export interface Context {
  readonly registry: Registry;
  /** Serialises changes to what runs: starts, the handling of exits, removals. */
  readonly locks: KeyedLock<ContainerId>;
  /** Serialises additions to an owner's resources, so that concurrent requests cannot exceed its quota together. */
  readonly owners: KeyedLock<string>;
  readonly supervisor: Supervisor;
  readonly health: HealthMonitor;
  readonly runtime: Runtime;
  readonly images: Pick<Images, "get" | "origin" | "commit">;
  readonly networks: Networks;
  readonly ports: Ports;
  readonly volumes: Volumes;
  readonly files: ContainerFiles;
  readonly storage: Storage;
  /** What counts against quotas beside containers. */
  readonly held: Pick<HeldQuotas, "all">;
  /**
   * The owner of a container as the directory knows it now; undefined where the service has no token to ask with. Throws `forbidden`
   * for a user who is disabled or gone, and `unavailable`.
   */
  readonly askOwner: (owner: string) => Promise<Actor | undefined>;
  /**
   * The control group of the owner's place, which bounds what runs there; undefined for an owner that is a user. Throws `conflict` for a
   * place that has ended: nothing starts in it.
   */
  readonly placeGroup: (owner: string | undefined) => string | undefined;
  readonly events: EventSink;
  /** Takes down what the engine does of itself; what requests do is taken down where they are answered. */
  readonly actions: ActionSink;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The host's capabilities and the defaults for containers. */
  readonly host: HostDefaults &
    Processors & {
      /** The rotation of users' logs that ask for none. */
      readonly userLogs: LogRotation;
      /** The folder of the service's state. */
      readonly stateDirectory: string;
    };
}
