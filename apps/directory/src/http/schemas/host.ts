import { RESOURCES } from "@berth/directory-domain";
import { PROTOCOLS } from "@berth/port-spec";
import { z } from "@hono/zod-openapi";
import { CONTAINER_STATES, type HostRecord } from "../../accounts/host-records.ts";
import { idSchema, instantSchema, nullable } from "./common.ts";

/** What a host may have at most of each kind in its report. */
const MAX_ITEMS = 20_000;

function line(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\p{Cc}]*$/u, "must not hold control characters");
}
const port = z.int().min(1).max(65_535);
const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

const container = {
  id: line(128).min(1),
  name: line(300),
  image: line(300),
  state: z.enum(CONTAINER_STATES),
  createdAt: instantSchema,
  startedAt: instantSchema.nullable(),
};
const heldPort = {
  hostIp: line(64),
  start: port,
  end: port,
  protocol: z.enum(PROTOCOLS),
  since: instantSchema,
  containerPort: port.nullable(),
  containerId: line(128).nullable(),
  containerName: line(300).nullable(),
};
const claimant = z.strictObject({ type: z.enum(["user", "group"]), id: idSchema, name: line(300) });
const used = z.partialRecord(z.enum(RESOURCES), amount);

const processPort = z.strictObject({
  hostIp: line(64),
  port,
  protocol: z.enum(PROTOCOLS),
  pid: z.int().min(1).nullable(),
  command: line(300).nullable(),
});
const refused = {
  times: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  at: instantSchema,
  action: line(64),
  reason: line(2_000),
};

/** What a container service has, as it reports it: a port is held by a container, or reserved for a user or a group. */
export const hostReportSchema = z
  .strictObject({
    engineVersion: line(100),
    containers: z.array(z.strictObject({ ...container, ownerId: idSchema.nullable() })).max(MAX_ITEMS),
    heldPorts: z
      .array(z.strictObject({ ...heldPort, ownerId: idSchema.nullable(), reservedFor: claimant.nullable() }))
      .max(MAX_ITEMS),
    // Services of before do not send them.
    processPorts: z.array(processPort).max(MAX_ITEMS).default([]),
    refusedSince: nullable(instantSchema).default(null),
    refusedUsers: z
      .array(z.strictObject({ ...refused, userId: idSchema.nullable() }))
      .max(MAX_ITEMS)
      .default([]),
    usage: z.array(z.strictObject({ ownerId: idSchema, used })).max(MAX_ITEMS),
  })
  .openapi("HostReport");

const ownerShown = z.object({ id: idSchema, login: z.string() });

const refusedUser = ownerShown
  .nullable()
  .openapi({ description: "The user; null for strangers and for administrators of the host.", example: null });

export const hostSchema = z
  .object({
    name: z.string(),
    reportedAt: z.iso.datetime(),
    engineVersion: z.string(),
    containers: z.array(
      z.object({
        ...container,
        createdAt: z.iso.datetime(),
        startedAt: z.iso.datetime().nullable(),
        ownedBy: ownerShown.nullable(),
      }),
    ),
    heldPorts: z.array(
      z.object({
        ...heldPort,
        since: z.iso.datetime(),
        ownedBy: ownerShown.nullable(),
        reservedFor: claimant.nullable(),
      }),
    ),
    processPorts: z.array(processPort),
    refusedSince: z.iso.datetime().nullable(),
    refusedUsers: z.array(z.object({ ...refused, at: z.iso.datetime(), user: refusedUser })),
  })
  .openapi("Host");

export const usageSchema = z
  .object({
    user: ownerShown.openapi({ description: "The user.", example: { id: 7, login: "ann" } }),
    used,
    quotas: z.partialRecord(z.enum(RESOURCES), amount).openapi({ description: "What has no quota is left out." }),
  })
  .openapi("Usage");

type Logins = ReadonlyMap<number, string>;

export function showHost({ name, reportedAt, report }: HostRecord, logins: Logins): z.input<typeof hostSchema> {
  const { engineVersion, containers, heldPorts, processPorts, refusedSince, refusedUsers } = report;
  return {
    name,
    reportedAt,
    engineVersion,
    containers: containers.map(({ ownerId, ...one }) => ({ ...one, ownedBy: showOwner(ownerId, logins) })),
    heldPorts: heldPorts.map(({ ownerId, ...one }) => ({ ...one, ownedBy: showOwner(ownerId, logins) })),
    processPorts: [...processPorts],
    refusedSince,
    refusedUsers: refusedUsers.map(({ userId, ...one }) => ({ ...one, user: showOwner(userId, logins) })),
  };
}

/** A user that is gone has no login any more. */
function showOwner(id: number | null, logins: Logins) {
  return id === null ? null : { id, login: logins.get(id) ?? `user ${id}` };
}
