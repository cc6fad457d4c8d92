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

/** A mount as inspect shows it and a start resolves it. */
export interface MountPoint {
  readonly type: "bind" | "volume" | "tmpfs" | "image";
  /** The volume's name, or the image as it was asked for. */
  readonly name?: string;
  /** The path on the host; empty of a tmpfs and of an image. */
  readonly source: string;
  /** Of an image: its id and the chain id of its layers. */
  readonly image?: { readonly id: string; readonly layers: string };
  /** The resolved `source` of a user's bind, as authorized. This path is mounted. */
  readonly real?: string;
  readonly destination: string;
  readonly driver?: string;
  readonly mode: string;
  readonly readWrite: boolean;
  readonly propagation: string;
  /** Of a bind: what is mounted below its source stays away. */
  readonly nonRecursive?: true;
  /** Of a read-only bind: what is mounted below its source stays writable. */
  readonly writableBelow?: true;
  /** Of a volume or an image: the part of it that is mounted. */
  readonly subpath?: string;
}

/** The images among the mounts: a runtime knows them by their number. */
export function imagesOf(mounts: readonly MountPoint[]): readonly MountPoint[] {
  return mounts.filter(({ type }) => type === "image");
}

/** Everything the service stores about one container: the row, and the registry's copy in memory. */
export interface Container {
  readonly id: ContainerId;
  /** Without Docker's leading slash. */
  readonly name: string;
  /** The directory's user id of the creator; undefined for an administrator. */
  readonly owner: string | undefined;
  /** As named in the request. */
  readonly image: string;
  readonly imageId: string;
  /** The names that the image had at create: it may lose them, and a deny of one goes on. Absent from older rows. */
  readonly imageNames?: readonly string[];
  /** The OCI chain id of the image's layers. */
  readonly layers: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The request merged with the image's configuration. */
  readonly config: ContainerConfig;
  readonly hostConfig: HostConfig;
  readonly endpoints: Readonly<Record<string, EndpointRequest>>;
  readonly ports: {
    readonly exposed: readonly PortKey[];
    readonly wishes: readonly PortWish[];
    /** The ports of its last run, for a container that prefers them again. */
    readonly last?: readonly PortAssignment[];
  };
  readonly mounts: readonly MountPoint[];
  readonly state: ContainerState;
  readonly restartCount: number;
  /** Whether a client stopped it last; `unless-stopped` then does not start it at boot. */
  readonly stoppedByUser: boolean;
  /** Whether its owner was permitted to reach the host's own services at the last decision on a start. */
  readonly hostServices: boolean;
}
