import type { PortRange, Protocol } from "@berth/port-spec";
import type { HostFolder, Privilege, Resource } from "./constraint.ts";

/**
 * A requested host port: one port, any one port of a range, or any port at all (`dynamic`).
 * `hostIp` is the address as the caller wrote it; empty means every address, IPv4 and IPv6.
 */
export interface PortWish {
  readonly hostIp: string;
  readonly hostPort: PortRange | "dynamic";
  readonly protocol: Protocol;
}

/**
 * A requested image. `references` are trusted names in full form (`docker.io/library/nginx:latest`,
 * `docker.io/library/nginx@sha256:…`); one of them must be permitted. `aliases` are other names of the same content, such as local tags
 * that any user may set: they can cause a refusal, but never permit.
 */
export interface ImageWish {
  /** The name as the user typed it, for messages. */
  readonly name?: string;
  readonly references: readonly string[];
  readonly aliases?: readonly string[];
}

/** A requested host folder with links resolved. `name` is the path as the user wrote it, for messages: a link's target is not theirs to know. */
export interface MountWish extends HostFolder {
  readonly name?: string;
}

/**
 * What a container requests: parsed, normalised, symbolic links resolved. An omitted list requests nothing. `quantities` is what this
 * request adds to `used`, the use of the user's other containers; `unlimited` is Docker's 0.
 */
export interface DecisionRequest {
  readonly ports?: readonly PortWish[];
  readonly images?: readonly ImageWish[];
  readonly mounts?: readonly MountWish[];
  readonly privileges?: readonly Privilege[];
  /** Networks of others that it joins: `NAME` where an administrator made it on the host's own socket, else `OWNER/NAME`. */
  readonly networks?: readonly string[];
  /** Subnets of a network to create, in CIDR form. */
  readonly subnets?: readonly string[];
  readonly quantities?: Readonly<Partial<Record<Resource, number | "unlimited">>>;
  readonly used?: Readonly<Partial<Record<Resource, number>>>;
  /** What helps against a refusal of an amount, where it is not the usual flag: `set --memory-swap …`. */
  readonly remedies?: Readonly<Partial<Record<Resource, string>>>;
  /**
   * For each shared quota, by the constraint's id, what the other containers of all members use of its resource. A shared quota
   * that is missing here refuses, because it cannot be counted.
   */
  readonly sharedUse?: Readonly<Record<string, number>>;
}

/**
 * What a container takes of a user's quotas: every resource but the networks, which are created apart from it. Of storage it asks for
 * nothing; the use alone decides.
 */
export type ContainerResource = Exclude<Resource, "networks">;

/** A complete request, which an enforcing service must build: leaving out a kind or a resource does not compile. */
export type ContainerFacts = Required<
  Omit<DecisionRequest, "quantities" | "used" | "subnets" | "remedies" | "sharedUse">
> & {
  readonly remedies?: NonNullable<DecisionRequest["remedies"]>;
  readonly quantities: Readonly<Record<ContainerResource, number | "unlimited">>;
  readonly used: Readonly<Record<ContainerResource, number>>;
  readonly sharedUse: Readonly<Record<string, number>>;
};
