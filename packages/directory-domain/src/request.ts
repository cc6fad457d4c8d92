import type { PortRange, Protocol } from "@berth/port-spec";
import type { HostFolder, Privilege, Resource } from "./constraint.ts";

/**
 * A host port that a container wants. A range (start ≠ end) wants any one port of it, `dynamic` any port at all.
 * `hostIp` is the address as the caller wrote it; empty means every address, IPv4 and IPv6.
 */
export interface PortWish {
  readonly hostIp: string;
  readonly hostPort: PortRange | "dynamic";
  readonly protocol: Protocol;
}

/**
 * An image that a container wants. `references` are the names whose meaning the caller vouches for, in full form
 * (`docker.io/library/nginx:latest`, `docker.io/library/nginx@sha256:…`); one of them has to be permitted. `aliases` are
 * further names of the same content, such as local tags that any user may set: they can refuse but never permit.
 */
export interface ImageWish {
  /** The name as the user typed it, for messages. */
  readonly name?: string;
  readonly references: readonly string[];
  readonly aliases?: readonly string[];
}

/**
 * What a container would take, in facts: parsed, normalised, symbolic links resolved. A list left out wants nothing.
 * `quantities` are what this request adds to `used`, what the user's other containers hold; `unlimited` is Docker's 0.
 */
export interface DecisionRequest {
  readonly ports?: readonly PortWish[];
  readonly images?: readonly ImageWish[];
  readonly mounts?: readonly HostFolder[];
  readonly privileges?: readonly Privilege[];
  readonly quantities?: Readonly<Partial<Record<Resource, number | "unlimited">>>;
  readonly used?: Readonly<Partial<Record<Resource, number>>>;
}

/** All facts of a container: what a service that enforces constraints has to gather. A new resource or kind does not compile without. */
export type ContainerFacts = Required<Omit<DecisionRequest, "quantities" | "used">> & {
  readonly quantities: Readonly<Record<Resource, number | "unlimited">>;
  readonly used: Readonly<Record<Resource, number>>;
};
