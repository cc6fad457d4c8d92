import type { PortAssignment, PortKey, PortWish } from "@berth/port-spec";
import type { ContainerId } from "../../engine/ids.ts";
import type { EndpointRequest } from "../../networks/networks.ts";
import type { ContainerConfig, HostConfig } from "./config.ts";

export type ContainerStatus = "created" | "running" | "paused" | "restarting" | "removing" | "exited" | "dead";

export interface Health {
  readonly status: "starting" | "healthy" | "unhealthy";
  readonly failingStreak: number;
  /** The last five, oldest first. */
  readonly log: readonly {
    readonly start: string;
    readonly end: string;
    readonly exitCode: number;
    readonly output: string;
  }[];
}

export interface ContainerState {
  readonly status: ContainerStatus;
  /** 0 when no process runs. */
  readonly pid: number;
  readonly exitCode: number;
  readonly error: string;
  readonly oomKilled: boolean;
  /** RFC 3339; undefined before the first start. */
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  readonly health?: Health;
}

/** A mount as inspect shows it and start resolves it. */
export interface MountPoint {
  readonly type: "bind" | "volume" | "tmpfs";
  /** The volume's name. */
  readonly name?: string;
  /** The path on the host. */
  readonly source: string;
  /** Of a user's bind: `source` with its links resolved, as it was when it was allowed. This is what is mounted. */
  readonly real?: string;
  readonly destination: string;
  readonly driver?: string;
  readonly mode: string;
  readonly readWrite: boolean;
  readonly propagation: string;
}

/** Everything the service knows and keeps of one container: the row, and its image in memory. */
export interface Container {
  readonly id: ContainerId;
  /** Without Docker's leading slash. */
  readonly name: string;
  /** The directory's user id of whoever created it; undefined where an administrator did. */
  readonly owner: string | undefined;
  /** As the request named it. */
  readonly image: string;
  readonly imageId: string;
  /** The OCI chain id of the image's layers. */
  readonly layers: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The request with the image's configuration merged in: what runs. */
  readonly config: ContainerConfig;
  readonly hostConfig: HostConfig;
  readonly endpoints: Readonly<Record<string, EndpointRequest>>;
  readonly ports: {
    readonly exposed: readonly PortKey[];
    readonly wishes: readonly PortWish[];
    /** What it held in its last run, for one that asks for the same ports again. */
    readonly last?: readonly PortAssignment[];
  };
  readonly mounts: readonly MountPoint[];
  readonly state: ContainerState;
  readonly restartCount: number;
  /** Whether a person stopped it last: `unless-stopped` then leaves it so at boot. */
  readonly stoppedByUser: boolean;
}
