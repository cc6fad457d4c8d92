/** What this host has at one moment, as its users and administrators see it in the directory. */
export interface HostReport {
  readonly engineVersion: string;
  readonly containers: readonly {
    readonly id: string;
    readonly name: string;
    readonly image: string;
    readonly state: string;
    /** The directory's id; null for an administrator of the host. */
    readonly ownerId: number | null;
    readonly createdAt: string;
    readonly startedAt: string | null;
  }[];
  /** A port is held by a container, or reserved for a user or a group. */
  readonly heldPorts: readonly {
    readonly hostIp: string;
    readonly start: number;
    readonly end: number;
    readonly protocol: string;
    readonly since: string;
    readonly containerPort: number | null;
    readonly containerId: string | null;
    readonly containerName: string | null;
    readonly ownerId: number | null;
    readonly reservedFor: { readonly type: "user" | "group"; readonly id: number; readonly name: string } | null;
  }[];
  /** Ports that other programs of the host have open. */
  readonly processPorts: readonly {
    readonly hostIp: string;
    readonly port: number;
    readonly protocol: string;
    readonly pid: number | null;
    readonly command: string | null;
  }[];
  /** From when on refusals are counted: a day ago, or the start of the service. */
  readonly refusedSince: string;
  /** `userId` is null for strangers and for administrators of the host. Time, action and reason are of the latest refusal. */
  readonly refusedUsers: readonly {
    readonly userId: number | null;
    readonly times: number;
    readonly at: string;
    readonly action: string;
    readonly reason: string;
  }[];
  /** What the containers of each owner use, by the names of the directory's quotas. */
  readonly usage: readonly { readonly ownerId: number; readonly used: Readonly<Record<string, number>> }[];
}

/** Sends a report to the directory. Throws `unavailable` if it cannot be asked now, and `invalid` if it rejects the report. */
export type ReportHost = (report: HostReport) => Promise<void>;
