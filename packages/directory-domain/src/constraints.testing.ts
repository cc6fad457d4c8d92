import { PROTOCOLS } from "@berth/port-spec";
import fc from "fast-check";
import { BASELINES } from "./baseline.ts";
import {
  type ConstraintId,
  HOST_PRIVILEGES,
  type OwnedConstraint,
  type Owner,
  RESOURCES,
  SHARED_RESOURCES,
} from "./constraint.ts";
import { type EffectiveConstraints, effectiveConstraints } from "./effective.ts";
import type { GroupId } from "./group.ts";
import type { DecisionRequest } from "./request.ts";
import type { UserId } from "./user.ts";

/*
 * Small worlds, so that constraints and requests meet often: a few ports, networks, images and folders that contain,
 * touch and miss each other.
 */
const protocol = fc.constantFrom(...PROTOCOLS);
const range = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 4 }))
  .map(([start, more]) => ({ start, end: start + more }));
const ports = fc
  .tuple(range, fc.option(protocol, { nil: undefined }))
  .map(([one, of]) => ({ ...one, ...(of && { protocol: of }) }));
const addresses = fc.constantFrom(
  "*",
  "10.0.0.0/8",
  "10.0.0.5",
  "127.0.0.1",
  "0.0.0.0/0",
  "::/0",
  "fd00::/8",
  "::ffff:10.0.0.5",
);
const hostIp = fc.constantFrom("", "0.0.0.0", "127.0.0.1", "10.0.0.5", "10.1.2.3", "::", "::1", "fd00::7", "nonsense");
const patterns = fc.constantFrom(
  "*",
  "docker.io/*",
  "docker.io/library/nginx:*",
  "quay.io/*",
  "*@sha256:*",
  "*:latest",
);
const names = fc.constantFrom(
  "docker.io/library/nginx:latest",
  "docker.io/library/busybox:1",
  "quay.io/a/b:latest",
  "quay.io/a/b@sha256:00",
);
const folder = fc.record({
  path: fc.constantFrom("/", "/srv", "/srv/data", "/srv/database", "/var/run/docker.sock", "/var"),
  readOnly: fc.boolean(),
});
const privilege = fc.constantFrom(
  ...HOST_PRIVILEGES.slice(0, 4),
  "capability:NET_ADMIN" as const,
  "capability:SYS_TIME" as const,
  "capability:ALL" as const,
);
const networkPattern = fc.constantFrom("*", "teamnet", "team*", "7/*", "7/shop");
const resource = fc.constantFrom(...RESOURCES);

const rule = fc.oneof(
  fc.record({ kind: fc.constant("host-ports" as const), ports: fc.array(ports, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant("host-interfaces" as const), addresses: fc.array(addresses, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant("images" as const), patterns: fc.array(patterns, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant("mounts" as const), folders: fc.array(folder, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant("privileges" as const), privileges: fc.array(privilege, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant("networks" as const), names: fc.array(networkPattern, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant("subnets" as const), subnets: fc.array(addresses, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant("quota" as const), resource, max: fc.integer({ min: 0, max: 6 }) }),
  fc.record({
    kind: fc.constant("shared-quota" as const),
    resource: fc.constantFrom(...SHARED_RESOURCES),
    max: fc.integer({ min: 0, max: 6 }),
  }),
);

const owner: fc.Arbitrary<Owner> = fc.oneof(
  fc.constant({ type: "user", id: 1 as UserId } as const),
  fc.integer({ min: 1, max: 3 }).map((id) => ({ type: "group", id: id as GroupId }) as const),
);

const constraint = fc
  .record({ rule, owner, effect: fc.constantFrom("limit", "deny", "grant" as const), expiresAt: fc.constant(null) })
  .map(({ rule: value, effect, ...rest }) => ({
    ...value,
    ...rest,
    effect: value.kind === "shared-quota" || (value.kind === "quota" && effect === "deny") ? "limit" : effect,
  }));

/** Constraints with ids of their own. */
export const anyConstraints: fc.Arbitrary<readonly OwnedConstraint[]> = fc
  .array(constraint, { maxLength: 8 })
  .map((list) => list.map((one, index) => ({ ...one, id: (index + 1) as ConstraintId }) as OwnedConstraint));

export const anyRequest: fc.Arbitrary<DecisionRequest> = fc.record({
  ports: fc.array(fc.record({ hostIp, hostPort: fc.oneof(range, fc.constant("dynamic" as const)), protocol }), {
    maxLength: 3,
  }),
  images: fc.array(
    fc.record({ references: fc.array(names, { maxLength: 2 }), aliases: fc.array(names, { maxLength: 2 }) }),
    { maxLength: 2 },
  ),
  mounts: fc.array(folder, { maxLength: 2 }),
  privileges: fc.array(privilege, { maxLength: 2 }),
  networks: fc.array(fc.constantFrom("teamnet", "7/shop", "8/shop"), { maxLength: 2 }),
  subnets: fc.array(fc.constantFrom("10.0.0.0/24", "10.0.0.0/8", "fd00:1::/64", "nonsense"), { maxLength: 2 }),
  quantities: fc.dictionary(resource, fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant("unlimited" as const)), {
    maxKeys: 3,
  }),
  used: fc.dictionary(resource, fc.integer({ min: 0, max: 4 }), { maxKeys: 3 }),
  // By the ids that `anyConstraints` gives, and those that a law gives to copies.
  sharedUse: fc
    .dictionary(fc.integer({ min: 1, max: 8 }).map(String), fc.integer({ min: 0, max: 4 }), { maxKeys: 8 })
    .map((used) =>
      Object.fromEntries(
        Object.entries(used).flatMap(([id, n]) => [
          [id, n],
          [Number(id) + 50, n],
        ]),
      ),
    ),
});

export const anyBaseline = fc.constantFrom(BASELINES.closed, BASELINES.safe, BASELINES.open);

/** What `constraints` make for an active user of no role. */
export function effectiveFor(
  constraints: readonly OwnedConstraint[],
  baseline: EffectiveConstraints["baseline"],
): EffectiveConstraints {
  const subject = { id: 1 as UserId, login: "ann", role: "user", active: true } as const;
  return effectiveConstraints({ subject, constraints, baseline, at: "2030-01-01T00:00:00.000Z" });
}
