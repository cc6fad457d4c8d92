import {
  type Constraint,
  EFFECTS,
  HOST_PRIVILEGES,
  type Kind,
  MAX_VALUES,
  type OwnedConstraint,
  parseConstraint,
  RESOURCES,
  SHARED_RESOURCES,
  type UnreadableConstraint,
} from "@berth/directory-domain";
import { PROTOCOLS } from "@berth/port-spec";
import { z } from "@hono/zod-openapi";
import type { ConstraintRecord, UnreadableRecord } from "../../accounts/records.ts";
import type { ConstraintFields } from "../../accounts/stores.ts";
import { idSchema, instantSchema, noteSchema, nullable, STAMP_SCHEMAS } from "./common.ts";

const COMMON = {
  effect: z.enum(EFFECTS).default("limit"),
  note: noteSchema.default(null),
  expiresAt: nullable(instantSchema).default(null),
};
function listOf<S extends z.ZodType>(schema: S) {
  return z.array(schema).max(MAX_VALUES);
}
const port = z.int().min(1).max(65_535);

const RULES = {
  "host-ports": {
    ports: listOf(z.strictObject({ start: port, end: port.optional(), protocol: z.enum(PROTOCOLS).optional() })),
  },
  "host-interfaces": { addresses: listOf(z.string().max(64)) },
  images: { patterns: listOf(z.string().max(512)) },
  mounts: { folders: listOf(z.strictObject({ path: z.string().max(4_096), readOnly: z.boolean().default(false) })) },
  privileges: {
    privileges: listOf(
      z
        .string()
        .max(64)
        .openapi({ description: `capability:NAME, or one of ${HOST_PRIVILEGES.join(", ")}` }),
    ),
  },
  networks: {
    names: listOf(z.string().max(256).openapi({ description: "NAME or OWNER/NAME; * is any characters" })),
  },
  subnets: { subnets: listOf(z.string().max(64)) },
  quota: { resource: z.enum(RESOURCES), max: z.number().min(0).max(Number.MAX_SAFE_INTEGER) },
  "shared-quota": { resource: z.enum(SHARED_RESOURCES), max: z.number().min(0).max(Number.MAX_SAFE_INTEGER) },
} as const satisfies Record<Kind, object>;

function variant<K extends keyof typeof RULES>(kind: K) {
  return z.strictObject({ kind: z.literal(kind), ...RULES[kind], ...COMMON });
}

/** The body of a constraint. The domain checks what a schema cannot: reversed ranges, CIDR blocks, paths. */
export const constraintFieldsSchema = z
  .discriminatedUnion("kind", [
    variant("host-ports"),
    variant("host-interfaces"),
    variant("images"),
    variant("mounts"),
    variant("privileges"),
    variant("networks"),
    variant("subnets"),
    variant("quota"),
    variant("shared-quota"),
  ])
  .openapi("NewConstraint")
  .transform((body, context): ConstraintFields => {
    const parsed = parseConstraint(body);
    if (parsed.ok) return { constraint: parsed.value, note: body.note, expiresAt: body.expiresAt };
    context.addIssue({ code: "custom", message: parsed.error.detail, path: parsed.error.pointer.split("/").slice(1) });
    return z.NEVER;
  });

export const ownerSchema = z.object({
  type: z.enum(["user", "group"]),
  id: idSchema,
  name: z.string().optional().openapi({ description: "The group's name, in effective constraints and decisions." }),
});

/** Value fields by kind, as in `NewConstraint`. */
export const constraintSchema = z
  .looseObject({
    id: idSchema,
    owner: ownerSchema,
    kind: z.string(),
    effect: z.enum(EFFECTS).optional(),
    note: z.string().nullable().optional(),
    expiresAt: z.iso.datetime().nullable().optional(),
    ...z.object(STAMP_SCHEMAS).partial().shape,
  })
  .openapi("Constraint");

export const sharersSchema = z.strictObject({ userIds: z.array(idSchema).max(10_000) }).openapi("SharersRequest");

export function showConstraint(constraint: ConstraintRecord | UnreadableRecord): object {
  const { note, version, createdAt, updatedAt } = constraint;
  return { ...showOwnedConstraint(constraint), note, version, createdAt, updatedAt };
}

export function showOwnedConstraint(constraint: OwnedConstraint | UnreadableConstraint): object {
  const { id, owner, kind } = constraint;
  if (!("effect" in constraint)) return { id, owner, kind };
  const { effect, expiresAt } = constraint;
  // `assign` is faster than spread, and answers contain hundreds of these.
  return Object.assign({ id, owner, kind, effect }, valueFields(constraint), { expiresAt });
}

function valueFields(constraint: Constraint): object {
  switch (constraint.kind) {
    case "host-ports":
      return { ports: constraint.ports };
    case "host-interfaces":
      return { addresses: constraint.addresses };
    case "images":
      return { patterns: constraint.patterns };
    case "mounts":
      return { folders: constraint.folders };
    case "privileges":
      return { privileges: constraint.privileges };
    case "networks":
      return { names: constraint.names };
    case "subnets":
      return { subnets: constraint.subnets };
    case "quota":
    case "shared-quota":
      return { resource: constraint.resource, max: constraint.max };
  }
}
