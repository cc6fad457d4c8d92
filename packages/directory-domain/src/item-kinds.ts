import type { ItemKind } from "./check-item.ts";
import type { HostFolder, Privilege } from "./constraint.ts";
import type { ImageWish } from "./request.ts";
import { HOST_INTERFACES, IMAGES, MOUNTS, NETWORKS, PRIVILEGES, SUBNETS } from "./space.ts";

/** The kinds whose requests name single items: where their values stand, and how values and items compare. */
export const ITEM_KINDS: {
  readonly "host-interfaces": ItemKind<"host-interfaces", string, string>;
  readonly images: ItemKind<"images", string, ImageWish>;
  readonly mounts: ItemKind<"mounts", HostFolder, HostFolder>;
  readonly privileges: ItemKind<"privileges", Privilege, Privilege>;
  readonly networks: ItemKind<"networks", string, string>;
  readonly subnets: ItemKind<"subnets", string, string>;
} = {
  "host-interfaces": {
    kind: "host-interfaces",
    space: HOST_INTERFACES,
    baseline: ({ baseline }) => baseline.hostInterfaces,
    valuesOf: (one) => one.addresses,
  },
  images: {
    kind: "images",
    space: IMAGES,
    baseline: ({ baseline }) => baseline.images,
    valuesOf: (one) => one.patterns,
  },
  mounts: {
    kind: "mounts",
    space: MOUNTS,
    baseline: ({ baseline }) => baseline.mounts,
    valuesOf: (one) => one.folders,
  },
  privileges: {
    kind: "privileges",
    space: PRIVILEGES,
    baseline: ({ baseline }) => baseline.privileges,
    valuesOf: (one) => one.privileges,
  },
  networks: {
    kind: "networks",
    space: NETWORKS,
    baseline: ({ baseline }) => baseline.networks,
    valuesOf: (one) => one.names,
  },
  subnets: {
    kind: "subnets",
    space: SUBNETS,
    baseline: ({ baseline }) => baseline.subnets,
    valuesOf: (one) => one.subnets,
  },
};
