import { z } from "@hono/zod-openapi";
import type { ErrorKind } from "../errors/directory-error.ts";
import { STATUS_OF } from "../errors/problem.ts";

/** Problem details (RFC 9457), the body of every failure. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum([...(Object.keys(STATUS_OF) as ErrorKind[]), "internal"]),
    errors: z
      .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }))
      .optional(),
  })
  .openapi("Problem");
