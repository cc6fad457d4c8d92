import { z } from "zod";
import type { ContainerConfig } from "../../containers/records/config.ts";
import { containerConfig } from "./create-body.ts";

/** `POST /commit`: a container's configuration, of which only present fields count. `null` and `{}` have none. */
export const commitBody: z.ZodType<Partial<ContainerConfig>> = z.unknown().transform((body, context) => {
  if (body === null) return {};
  const parsed = containerConfig.safeParse(body);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, code: "custom", input: body });
    return z.NEVER;
  }
  const named = new Set(Object.keys(body as object).map((key) => key.toLowerCase()));
  return Object.fromEntries(Object.entries(parsed.data).filter(([key]) => named.has(key.toLowerCase())));
});
