import { z } from "@hono/zod-openapi";
import { type Endpoint, JSON_TYPE } from "../http/endpoint.ts";
import { anyCase } from "./body.ts";
import { SCIM_REFUSALS, SCIM_TYPE } from "./error.ts";

export const SCIM_PATH = "/scim/v2";
const resource = z.looseObject({ schemas: z.array(z.string()) });

/** Parameters that choose what an answer shows; unknown parameters are passed over. */
export const shownQuery = z.object({
  attributes: z.string().max(8_000).optional(),
  excludedAttributes: z.string().max(8_000).optional(),
});

const whole = z
  .string()
  .regex(/^-?\d{1,9}$/, "must be a whole number")
  .transform(Number)
  .openapi({ type: "integer" });
const order = z.preprocess(
  (value) => (typeof value === "string" ? value.toLowerCase() : value),
  z.enum(["ascending", "descending"]).optional(),
);

/** Parameters of a list (RFC 7644, 3.4.2). */
export const listQuery = z.object({
  ...shownQuery.shape,
  filter: z.string().optional(),
  startIndex: whole.optional(),
  count: whole.optional(),
  sortBy: z.string().max(200).optional(),
  sortOrder: order,
});

const names = z.union([z.string().max(8_000), z.array(z.string().max(200)).max(100)]).nullish();

/** The body of a search (RFC 7644, 3.4.3). */
export const searchBody = anyCase(
  z.object({
    attributes: names,
    excludedAttributes: names,
    filter: z.string().nullish(),
    startIndex: z.int().nullish(),
    count: z.int().nullish(),
    sortBy: z.string().max(200).nullish(),
    sortOrder: order,
  }),
);

/** A list as it is asked for, by parameters or by a body. */
export type ListRequest = z.output<typeof listQuery> | z.output<typeof searchBody>;

export const ACCEPTS = [SCIM_TYPE, JSON_TYPE];
/** Ten thousand members with their addresses and names. */
export const MAX_MEMBERS_BYTES = 4 * 1_024 * 1_024;

export const ANSWERS = { 200: { description: "The resource", schema: resource, mediaType: SCIM_TYPE } };
export const CREATED = { 201: { description: "The resource", schema: resource, mediaType: SCIM_TYPE } };
export const REMOVED = { 204: { description: "Removed" } };

/** What all endpoints have in common. */
export const COMMON = { tag: "SCIM 2.0", refusals: SCIM_REFUSALS } as const satisfies Partial<Endpoint>;

/** The absolute address of the SCIM service, as the client reached it. */
export function baseOf({ url }: { readonly url: URL }): string {
  return `${url.origin}${SCIM_PATH}`;
}
