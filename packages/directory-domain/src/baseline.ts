import { HOST_PRIVILEGES, type Resource, type Rule } from "./constraint.ts";

type ValueOf<K extends Rule["kind"], F extends string> =
  Extract<Rule, { kind: K }> extends Record<F, infer V> ? V : never;

/** What users who are not administrators may do without any constraint. A resource without a number has no quota. */
export interface Baseline {
  readonly hostPorts: ValueOf<"host-ports", "ports">;
  readonly hostInterfaces: ValueOf<"host-interfaces", "addresses">;
  readonly images: ValueOf<"images", "patterns">;
  readonly mounts: ValueOf<"mounts", "folders">;
  readonly privileges: ValueOf<"privileges", "privileges">;
  /** Networks of others are shared by grants alone. */
  readonly networks: ValueOf<"networks", "names">;
  readonly subnets: ValueOf<"subnets", "subnets">;
  readonly quotas: Readonly<Partial<Record<Resource, number>>>;
}

/** Permits nothing: every permission is a grant. */
const CLOSED: Baseline = {
  hostPorts: [],
  hostInterfaces: [],
  images: [],
  mounts: [],
  privileges: [],
  networks: [],
  subnets: [],
  quotas: { containers: 0, networks: 0 },
};

/** Permits any image, and nothing that gives root on the host or uses a system port. */
const SAFE: Baseline = {
  hostPorts: [{ start: 1_024, end: 65_535 }],
  hostInterfaces: ["*"],
  images: ["*"],
  mounts: [],
  privileges: [],
  networks: [],
  // Where a network without a subnet of its own gets one.
  subnets: ["172.31.0.0/16", "192.168.0.0/16", "fd00::/8"],
  quotas: { containers: 20, networks: 10 },
};

/** Permits everything, as a host without Berth does; only constraints restrict. */
const OPEN: Baseline = {
  hostPorts: [{ start: 1, end: 65_535 }],
  hostInterfaces: ["*"],
  images: ["*"],
  mounts: [{ path: "/", readOnly: false }],
  privileges: [...HOST_PRIVILEGES, "capability:ALL"],
  networks: [],
  subnets: ["*"],
  quotas: {},
};

export const BASELINES = { closed: CLOSED, safe: SAFE, open: OPEN } as const satisfies Record<string, Baseline>;
export type BaselineName = keyof typeof BASELINES;
