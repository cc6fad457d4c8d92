import { z } from "@hono/zod-openapi";
import { idQuery, idSchema, instantSchema, PAGE_PARAMETERS } from "./common.ts";

export const auditQuerySchema = z.strictObject({
  actor: idQuery.optional(),
  target: z
    .string()
    .regex(
      /^(?:users|signin|(?:user|group|constraint|token)\/[1-9]\d{0,15})$/,
      "must be a kind of record and its id, such as user/12",
    )
    .optional(),
  action: z
    .string()
    .regex(/^[a-z]+\.[a-z]+$/, "must be a kind of record and an action, such as user.create")
    .max(64)
    .optional(),
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
    before: z.unknown(),
    after: z.unknown(),
  })
  .openapi("AuditEntry");
