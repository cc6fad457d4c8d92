import { parseDisplayName, parseEmail, parseGroupName, parseId, parseLogin } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import { externalIdSchema, parsedText } from "../http/schemas/common.ts";

/*
 * Identity providers send more than is asked for, so unknown attributes are passed over (RFC 7644, 3.3), and attribute
 * names count in any letter case (RFC 7643, 2.1).
 */
const KNOWN = [
  "userName",
  "displayName",
  "name",
  "formatted",
  "givenName",
  "familyName",
  "emails",
  "value",
  "primary",
  "active",
  "externalId",
  "password",
  "members",
  "type",
  "$ref",
  "Operations",
  "op",
  "path",
];
const SPELLING = new Map(KNOWN.map((name) => [name.toLowerCase(), name]));

function respelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respelled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [SPELLING.get(key.toLowerCase()) ?? key, respelled(one)]),
  );
}

const anyCase = <S extends z.ZodType>(schema: S) => z.preprocess(respelled, schema);
const externalId = externalIdSchema.nullish();
// Some providers write booleans as texts.
const flag = z.union([
  z.boolean(),
  z.enum(["true", "false", "True", "False"]).transform((text) => text.toLowerCase() === "true"),
]);
const displayName = parsedText(parseDisplayName, { maxLength: 200 });
const email = parsedText(parseEmail, { maxLength: 254 });

export const scimEmails = z.array(z.object({ value: email, primary: flag.optional() })).max(20);
export const scimName = z.object({
  formatted: displayName.nullish(),
  givenName: z.string().max(200).nullish(),
  familyName: z.string().max(200).nullish(),
});
export const SCIM_FLAG = flag;

export const scimUserFields = z.object({
  userName: parsedText(parseLogin, { maxLength: 64 }),
  displayName: displayName.nullish(),
  name: scimName.nullish(),
  emails: scimEmails.min(1),
  active: flag.default(true),
  externalId,
  password: z.string().nullish(),
});

export const scimUserSchema = anyCase(scimUserFields);

const scimMember = z
  .object({
    value: z.union([z.string(), z.int().transform(String)]).transform((text, context) => {
      const id = parseId(text);
      if (id !== undefined) return id;
      context.addIssue({ code: "custom", message: "is the id of no user" });
      return z.NEVER;
    }),
    type: z.string().nullish(),
    $ref: z.string().nullish(),
  })
  // A group's id may well be some user's too.
  .refine(({ type, $ref }) => type?.toLowerCase() !== "group" && !/\/groups\//i.test($ref ?? ""), {
    message: "is a group: only users are members",
  });

export const scimMembers = z.array(scimMember).max(10_000);

export const scimGroupFields = z.object({
  displayName: parsedText(parseGroupName, { maxLength: 64 }),
  externalId,
  members: scimMembers.default([]),
});

export const scimGroupSchema = anyCase(scimGroupFields);

export const scimPatchSchema = anyCase(
  z.object({
    Operations: z
      .array(
        z.object({
          op: z
            .string()
            .transform((op) => op.toLowerCase())
            .pipe(z.enum(["add", "replace", "remove"])),
          path: z.string().max(1_000).optional(),
          value: z.unknown().optional(),
        }),
      )
      .min(1)
      .max(1_000),
  }),
);

export type ScimOperation = z.output<typeof scimPatchSchema>["Operations"][number];
export type ScimUser = z.output<typeof scimUserSchema>;

/** The one e-mail that a user has here: the primary, or else the first. */
export function primaryEmail(emails: z.output<typeof scimEmails>): string | undefined {
  return (emails.find((one) => one.primary === true) ?? emails[0])?.value;
}

export function nameOf(user: Pick<ScimUser, "displayName" | "name">): string | null {
  const { givenName, familyName, formatted } = user.name ?? {};
  const joined = [givenName, familyName].filter((part) => part != null && part !== "").join(" ");
  return user.displayName ?? formatted ?? (joined === "" ? null : joined);
}
