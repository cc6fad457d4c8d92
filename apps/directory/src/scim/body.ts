import { parseDisplayName, parseEmail, parseGroupName, parseId, parseLogin } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import { externalIdSchema, parsedText } from "../http/schemas/common.ts";

/*
 * Identity providers send more than is kept, so unknown attributes are passed over (RFC 7644, 3.3); attribute names count in
 * any letter case (RFC 7643, 2.1); null, an empty text and an empty list all mean that an attribute has no value (2.5).
 */
const KNOWN = [
  "active",
  "attributes",
  "count",
  "displayName",
  "emails",
  "excludedAttributes",
  "externalId",
  "familyName",
  "filter",
  "formatted",
  "givenName",
  "members",
  "name",
  "op",
  "Operations",
  "password",
  "path",
  "primary",
  "sortBy",
  "sortOrder",
  "startIndex",
  "type",
  "userName",
  "value",
  "$ref",
];
const SPELLING = new Map(KNOWN.map((name) => [name.toLowerCase(), name]));

/** Attributes by their usual spelling, at every depth. The first of two spellings of one name counts. */
export function respelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respelled);
  if (typeof value !== "object" || value === null) return value;
  const named: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    const name = SPELLING.get(key.toLowerCase()) ?? key;
    if (!Object.hasOwn(named, name)) named[name] = respelled(one);
  }
  return named;
}

/** A schema that takes its attributes in any letter case. */
export function anyCase<S extends z.ZodType>(schema: S) {
  return z.preprocess(respelled, schema);
}

/** An attribute that may be left out: null where it has no value, undefined where it is not sent. */
function optional<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (typeof value === "string" && value.trim() === "" ? null : value), schema.nullish());
}

// Some providers write booleans as texts, and some values as a list of one.
const flag = z.preprocess(
  (value) => (typeof value === "string" && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === "true" : value),
  z.boolean(),
);
const displayName = parsedText(parseDisplayName, { maxLength: 256 });
const externalId = optional(externalIdSchema);

const emailSchema = z.object({
  value: optional(parsedText(parseEmail, { maxLength: 254 })),
  type: optional(parsedText(parseDisplayName, { maxLength: 64 })),
  primary: optional(flag),
});

/** Lists of one item come as the item itself, and simple items as their value. */
const emailsSchema = z.preprocess(
  (value) =>
    value === null || value === undefined
      ? value
      : [value].flat().map((one) => (typeof one === "string" ? { value: one } : one)),
  z.array(emailSchema).max(100).nullish(),
);

const userSchema = z.object({
  userName: parsedText(parseLogin, { maxLength: 256 }),
  displayName: optional(displayName),
  name: optional(
    z.object({ formatted: optional(displayName), givenName: optional(displayName), familyName: optional(displayName) }),
  ),
  emails: emailsSchema,
  active: optional(flag),
  externalId,
  password: optional(z.string()),
});

/** A user as a provider sends it. */
export const scimUserSchema = anyCase(userSchema);
export type ScimUser = z.output<typeof userSchema>;

const memberSchema = z
  .object({
    value: z.union([z.string(), z.int().transform(String)]).transform((text, context) => {
      const id = parseId(text);
      if (id !== undefined) return id;
      context.addIssue({ code: "custom", message: "must be the id of a user or a group" });
      return z.NEVER;
    }),
    type: z.string().nullish(),
    $ref: z.string().nullish(),
  })
  .transform(({ value, type, $ref }) => ({ id: value, isGroup: isGroupMember(type, $ref) }));

/** Whether a member is a group. A group's id may be some user's too: who says neither type nor address means a user. */
export function isGroupMember(type: unknown, $ref?: string | null): boolean {
  return String(type).toLowerCase() === "group" || /(?:^|\/)groups\//i.test($ref ?? "");
}

/** At most as many members as one request may name. */
export const scimMembers = z.preprocess(
  (value) =>
    [value ?? []].flat().map((one) => (typeof one === "string" || typeof one === "number" ? { value: one } : one)),
  z
    .array(memberSchema)
    .max(10_000)
    .transform((members) => ({
      users: members.flatMap(({ id, isGroup }) => (isGroup ? [] : [id])),
      groups: members.flatMap(({ id, isGroup }) => (isGroup ? [id] : [])),
    })),
);

const groupSchema = z.object({
  displayName: parsedText(parseGroupName, { maxLength: 256 }),
  externalId,
  members: scimMembers,
});

/** A group as a provider sends it. */
export const scimGroupSchema = anyCase(groupSchema);
export const SCIM_GROUP_FIELDS = groupSchema.shape;

export const scimPatchSchema = anyCase(
  z.object({
    Operations: z
      .array(
        z.object({
          op: z
            .string()
            .transform((op) => op.toLowerCase())
            .pipe(z.enum(["add", "replace", "remove"])),
          path: optional(z.string().max(1_000)),
          value: z.unknown().optional(),
        }),
      )
      .min(1)
      .max(10_000),
  }),
);
export type ScimOperation = z.output<typeof scimPatchSchema>["Operations"][number];
