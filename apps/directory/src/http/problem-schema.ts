import { z } from "@hono/zod-openapi";
import type { ErrorKind } from "../errors/directory-error.ts";
import { STATUS_OF } from "../errors/problem.ts";

/** Problem details (RFC 9457), the body of every failure. */
export const problemSchema = z
  .object({
    type: z.string().openapi({ description: "URN of the kind of failure.", example: "urn:berth:problem:conflict" }),
    title: z.string().openapi({ description: "The kind of failure in words.", example: "Conflict" }),
    status: z.int().openapi({ description: "The HTTP status.", example: 409 }),
    detail: z.string().openapi({ description: "What was wrong, for people.", example: "The login is taken." }),
    instance: z.string().openapi({ description: "Path of the request.", example: "/api/users" }),
    code: z
      .enum([...(Object.keys(STATUS_OF) as ErrorKind[]), "internal"])
      .openapi({ description: "The kind of failure, for programs.", example: "conflict" }),
    errors: z
      .array(
        z.object({
          pointer: z
            .string()
            .optional()
            .openapi({ description: "JSON pointer (RFC 6901) into the body.", example: "/login" }),
          parameter: z
            .string()
            .optional()
            .openapi({ description: "Name of the parameter or header.", example: "limit" }),
          detail: z.string().openapi({ description: "What is wrong with it.", example: "is taken" }),
        }),
      )
      .optional()
      .openapi({ description: "The faults one by one.", example: [{ pointer: "/login", detail: "is taken" }] }),
  })
  .openapi("Problem");
