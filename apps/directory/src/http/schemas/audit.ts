import { z } from "@hono/zod-openapi";
import { OUTCOMES } from "../../accounts/records.ts";
import { FLAG_SCHEMA, idQuery, idSchema, instantSchema, PAGE_PARAMETERS } from "./common.ts";

const ENGINE_KINDS = ["container", "image", "network", "volume", "build", "port", "place"].join("|");
/** What a container service acts on; a text after the slash names it, as in `container/web`. */
const ENGINE_TARGET = new RegExp(`^(?:engine|(?:${ENGINE_KINDS})/[^\\p{C}]{1,300})$`, "u");
const ENGINE_ACTION = new RegExp(`^(?:engine|${ENGINE_KINDS})\\.[a-z]+$`);
const DIRECTORY_TARGET = /^(?:users|signin|(?:user|group|constraint|token)\/[1-9]\d{0,15})$/;

const action = z
  .string()
  .regex(/^[a-z]+\.[a-z]+$/, "must be a kind of record and an action, such as user.create")
  .max(64);

export const auditQuerySchema = z.strictObject({
  user: idQuery.optional().openapi({
    description: "Id of the user that acted, or that was acted on, with its constraints, memberships and containers.",
    example: 7,
  }),
  actor: idQuery.optional(),
  target: z
    .string()
    .max(320)
    .refine(
      (text) => DIRECTORY_TARGET.test(text) || ENGINE_TARGET.test(text),
      "must be a kind of record and its id, such as user/12",
    )
    .optional(),
  action: action.optional(),
  outcome: z.enum(OUTCOMES).optional(),
  bypass: FLAG_SCHEMA.optional(),
  since: instantSchema.optional(),
  until: instantSchema.optional(),
  ...PAGE_PARAMETERS,
});

export const auditEntrySchema = z
  .object({
    id: idSchema,
    at: z.iso.datetime(),
    actor: idSchema.nullable(),
    action: z.string(),
    target: z.string(),
    outcome: z.enum(OUTCOMES),
    bypass: z.boolean(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .openapi("AuditEntry");

/** One line of printable text. */
function line(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\p{Cc}]*$/u, "must not hold control characters");
}

/** How many entries one report may hold. */
export const MAX_REPORTED = 500;

const reportedEntrySchema = z.strictObject({
  reportId: z.uuid(),
  at: instantSchema,
  actor: idSchema.nullable().default(null),
  action: z
    .string()
    .regex(ENGINE_ACTION, "must be an action of an engine")
    .max(64)
    .openapi({ example: "container.start" }),
  target: z
    .string()
    .regex(ENGINE_TARGET, "must be a kind and a name, such as container/web")
    .openapi({ example: "container/web" }),
  outcome: z.enum(OUTCOMES),
  bypass: z.boolean(),
  details: z
    .strictObject({
      login: line(300),
      via: z.enum(["administrators-socket", "user-socket", "token", "certificate", "service"]),
      address: line(100),
      name: line(300),
      ownerId: idSchema,
      image: line(300),
      reason: line(2_000),
      count: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    })
    .partial(),
});

export const auditReportSchema = z
  .strictObject({ host: line(253).min(1), entries: z.array(reportedEntrySchema).min(1).max(MAX_REPORTED) })
  .openapi("AuditReport");
