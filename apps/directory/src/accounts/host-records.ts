import type { Resource } from "@berth/directory-domain";
import type { Protocol } from "@berth/port-spec";

export const CONTAINER_STATES = ["created", "running", "paused", "restarting", "removing", "exited", "dead"] as const;

interface ReportedContainer {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly state: (typeof CONTAINER_STATES)[number];
  /** Null for what administrators made on the host. */
  readonly ownerId: number | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
}

export interface ReportedPort {
  /** Empty for every address. */
  readonly hostIp: string;
  readonly start: number;
  readonly end: number;
  readonly protocol: Protocol;
  readonly since: string;
  readonly containerPort: number | null;
  readonly containerId: string | null;
  readonly containerName: string | null;
  readonly ownerId: number | null;
  readonly reservedFor: { readonly type: "user" | "group"; readonly id: number; readonly name: string } | null;
}

/** A port that another program of the host has open. */
export interface ProcessPort {
  readonly hostIp: string;
  readonly port: number;
  readonly protocol: Protocol;
  /** Null where nobody knows, or may know. */
  readonly pid: number | null;
  readonly command: string | null;
}

/** What a host refused one user in the last day; the rest is of the latest one. */
export interface RefusedUser {
  /** Null for strangers, and for administrators of the host. */
  readonly userId: number | null;
  readonly times: number;
  readonly at: string;
  readonly action: string;
  readonly reason: string;
}

/** Amounts by resource. */
export type Used = Readonly<Partial<Record<Resource, number>>>;

/** What a container service has at one moment. */
export interface HostReport {
  readonly engineVersion: string;
  readonly containers: readonly ReportedContainer[];
  readonly heldPorts: readonly ReportedPort[];
  readonly processPorts: readonly ProcessPort[];
  /** From when on they are counted; null where the service counts none. */
  readonly refusedSince: string | null;
  readonly refusedUsers: readonly RefusedUser[];
  readonly usage: readonly { readonly ownerId: number; readonly used: Used }[];
}

/** The last report of a host. */
export interface HostRecord {
  readonly name: string;
  readonly reportedAt: string;
  readonly report: HostReport;
}

export interface HostStore {
  all(): Promise<readonly HostRecord[]>;
  put(name: string, report: HostReport): Promise<void>;
  /** Forgets the hosts that have not reported since. */
  prune(before: string): Promise<void>;
}
