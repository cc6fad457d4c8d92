import { HOST_PRIVILEGES, type Resource, type Rule } from "./constraint.ts";

type ValueOf<K extends Rule["kind"], F extends string> =
  Extract<Rule, { kind: K }> extends Record<F, infer V> ? V : never;

/** What everyone who is not an administrator may do before any constraint. A resource without a number has no quota. */
export interface Baseline {
  readonly hostPorts: ValueOf<"host-ports", "ports">;
  readonly hostInterfaces: ValueOf<"host-interfaces", "addresses">;
  readonly images: ValueOf<"images", "patterns">;
  readonly mounts: ValueOf<"mounts", "folders">;
  readonly privileges: ValueOf<"privileges", "privileges">;
  readonly quotas: Readonly<Partial<Record<Resource, number>>>;
}

/** Nothing at all: every permission is a grant. */
const CLOSED: Baseline = {
  hostPorts: [],
  hostInterfaces: [],
  images: [],
  mounts: [],
  privileges: [],
  quotas: { containers: 0 },
};

/** Nothing that is root on the host or takes a port of the system; any image. */
const SAFE: Baseline = {
  hostPorts: [{ start: 1_024, end: 65_535 }],
  hostInterfaces: ["*"],
  images: ["*"],
  mounts: [],
  privileges: [],
  quotas: { containers: 20 },
};

/** Everything, as on a host without Berth: constraints alone restrict. */
const OPEN: Baseline = {
  hostPorts: [{ start: 1, end: 65_535 }],
  hostInterfaces: ["*"],
  images: ["*"],
  mounts: [{ path: "/", readOnly: false }],
  privileges: [...HOST_PRIVILEGES, "capability:ALL"],
  quotas: {},
};

export const BASELINES = { closed: CLOSED, safe: SAFE, open: OPEN } as const satisfies Record<string, Baseline>;
export type BaselineName = keyof typeof BASELINES;
