import {
  type Check,
  type Decision,
  type DecisionRequest,
  type EffectiveConstraints,
  explain,
  KINDS,
  type Privilege,
  parseConstraint,
  RESOURCES,
  sharedQuotas,
} from "@berth/directory-domain";
import { PROTOCOLS } from "@berth/port-spec";
import { z } from "@hono/zod-openapi";
import { idSchema } from "./common.ts";
import { constraintSchema, showOwnedConstraint } from "./constraint.ts";

const port = z.int().min(1).max(65_535);
function few<S extends z.ZodType>(schema: S) {
  return z.array(schema).max(1_000);
}
const reference = z.string().min(1).max(1_000);
const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

const privilege = z
  .string()
  .max(64)
  .transform((text, context): Privilege => {
    const parsed = parseConstraint({ effect: "limit", kind: "privileges", privileges: [text] });
    if (parsed.ok && parsed.value.kind === "privileges" && parsed.value.privileges[0] !== undefined)
      return parsed.value.privileges[0];
    context.addIssue({ code: "custom", message: parsed.ok ? "is not a privilege" : parsed.error.detail });
    return z.NEVER;
  });

const portWish = z
  .strictObject({
    hostIp: z.string().max(64).default(""),
    hostPort: z.union([
      z.literal("dynamic"),
      z
        .strictObject({ start: port, end: port })
        .refine((range) => range.start <= range.end, "must not end before its start"),
    ]),
    protocol: z.enum(PROTOCOLS).default("tcp"),
  })
  .openapi("PortWish");

const wishes = z.strictObject({
  ports: few(portWish)
    .default([])
    .openapi({ description: "Ports to publish.", example: [{ hostPort: { start: 9000, end: 9000 } }] as never }),
  images: few(
    z.strictObject({
      name: reference.optional().openapi({ description: "The name as the user typed it, for messages." }),
      references: few(reference),
      aliases: few(reference).default([]),
    }),
  ).default([]),
  mounts: few(z.strictObject({ path: z.string().max(4_096), readOnly: z.boolean().default(false) })).default([]),
  privileges: few(privilege).default([]),
  networks: few(z.string().max(512)).default([]),
  subnets: few(z.string().max(64)).default([]),
  quantities: z.partialRecord(z.enum(RESOURCES), z.union([amount, z.literal("unlimited")])).default({}),
  used: z.partialRecord(z.enum(RESOURCES), amount).default({}),
  sharedUse: z
    .record(z.string().regex(/^[1-9]\d{0,15}$/), amount)
    .default({})
    .openapi({
      description: "For shared quotas, by the constraint's id, what their members' containers use; 0 if left out.",
    }),
});

export const decisionRequestSchema = z
  .strictObject({
    userId: idSchema.optional().openapi({ description: "The user to decide about, by default yourself." }),
    request: wishes,
  })
  .openapi("DecisionRequest");

/** The request to decide on. Whoever asks without telling the use of a shared quota asks about an unused one. */
export function requestOf(
  body: z.output<typeof decisionRequestSchema>,
  effective: EffectiveConstraints,
): DecisionRequest {
  const unused = Object.fromEntries(sharedQuotas(effective).map(({ id }) => [id, 0]));
  return { ...body.request, sharedUse: { ...unused, ...body.request.sharedUse } } as DecisionRequest;
}

const checkSchema = z.object({
  kind: z.enum([...KINDS, "subject"]),
  item: z.string(),
  outcome: z.enum(["allow", "refuse"]),
  refusals: z.array(z.object({ reason: z.string(), constraints: z.array(constraintSchema) })),
  passing: z.array(z.string()),
  remedy: z.string().nullable().openapi({ description: "What the user itself can do, as in `add --cpus 1 or less`." }),
});

const subjectSchema = z.object({ id: idSchema, login: z.string(), role: z.string(), active: z.boolean() });

export const decisionSchema = z
  .object({
    decision: z.enum(["allow", "refuse"]),
    message: z.string(),
    subject: subjectSchema,
    bypass: z.literal("administrator").nullable(),
    version: z.string(),
    checks: z.array(checkSchema),
    portChoices: z.array(z.array(z.object({ start: z.int(), end: z.int() }))),
  })
  .openapi("Decision");

export const effectiveSchema = z
  .object({
    subject: subjectSchema,
    version: z.string(),
    baseline: z.looseObject({}),
    constraints: z.array(constraintSchema),
    unreadable: z.array(constraintSchema),
    groups: z
      .array(z.object({ id: idSchema, name: z.string() }))
      .openapi({ description: "The groups that the user is in, by itself or through a subgroup." }),
    warnings: z
      .array(
        z.object({
          warning: z.enum(["empty", "ungranted", "pointless"]),
          kind: z.enum(KINDS),
          constraints: z.array(idSchema),
        }),
      )
      .optional(),
  })
  .openapi("EffectiveConstraints");

export function showDecision(decision: Decision, version: string) {
  const { subject, bypass, portChoices } = decision;
  return {
    decision: decision.allowed ? "allow" : "refuse",
    message: explain(decision),
    subject,
    bypass,
    version,
    checks: decision.checks.map(showCheck),
    portChoices: portChoices.map((choice) => choice.ranges),
  };
}

function showCheck(check: Check) {
  const { kind, item, passing, remedy } = check;
  return {
    kind,
    item,
    outcome: check.refusals.length === 0 ? "allow" : "refuse",
    refusals: check.refusals.map(({ reason, constraints }) => ({
      reason,
      constraints: constraints.map(showOwnedConstraint),
    })),
    passing,
    remedy,
  };
}
