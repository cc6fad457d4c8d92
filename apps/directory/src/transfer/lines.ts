import {
  MAX_EMAIL_BYTES,
  MAX_NAME_LENGTH,
  MEMBERSHIP_ROLES,
  parseDisplayName,
  parseEmail,
  parseGroupName,
  parseLogin,
} from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import type { ConstraintFields } from "../accounts/stores.ts";
import { parsedText } from "../http/schemas/common.ts";
import { constraintFieldsSchema } from "../http/schemas/constraint.ts";
import { newGroupSchema } from "../http/schemas/group.ts";
import { newUserSchema, passHashSchema } from "../http/schemas/user.ts";
import { parseBody } from "../http/validate.ts";

/** The version of the format; a newer one is refused. */
export const FORMAT_VERSION = 1;

const namePart = parsedText(parseDisplayName, { maxLength: MAX_NAME_LENGTH }).nullable().default(null);
const login = parsedText(parseLogin, { maxLength: 256 });
const group = parsedText(parseGroupName, { maxLength: 256 });

const headerSchema = z.strictObject({
  type: z.literal("directory"),
  version: z.literal(FORMAT_VERSION, `must be ${FORMAT_VERSION}, the version that this directory reads`),
  exportedAt: z.string().max(64),
  passwords: z.boolean(),
});

const userSchema = z.strictObject({
  type: z.literal("user"),
  ...newUserSchema.omit({ pass: true }).shape,
  givenName: namePart,
  familyName: namePart,
  formattedName: namePart,
  emailType: z.string().min(1).max(64).default("work"),
  otherEmails: z
    .array(
      z.strictObject({
        value: parsedText(parseEmail, { maxLength: MAX_EMAIL_BYTES }),
        type: z.string().min(1).max(64).nullable(),
      }),
    )
    .max(100)
    .default([]),
  passHash: passHashSchema,
});

const OTHERS = {
  group: z.strictObject({ type: z.literal("group"), ...newGroupSchema.shape }),
  subgroup: z.strictObject({ type: z.literal("subgroup"), group, subgroup: group }),
  membership: z.strictObject({
    type: z.literal("membership"),
    group,
    user: login,
    role: z.enum(MEMBERSHIP_ROLES).default("member"),
  }),
  end: z.strictObject({ type: z.literal("end"), lines: z.int().min(0) }),
};
const ownerSchema = z.union([z.strictObject({ user: login }), z.strictObject({ group })]);

export type UserLine = z.output<typeof userSchema>;
export type GroupLine = z.output<typeof OTHERS.group>;
export type SubgroupLine = z.output<typeof OTHERS.subgroup>;
export type MembershipLine = z.output<typeof OTHERS.membership>;
export type EndLine = z.output<typeof OTHERS.end>;
export type ConstraintLine = {
  readonly type: "constraint";
  readonly owner: z.output<typeof ownerSchema>;
  readonly fields: ConstraintFields;
};
export type Line = UserLine | GroupLine | SubgroupLine | MembershipLine | ConstraintLine;

/** The order in which lines stand: what a line names stands before it. */
export const LINE_TYPES = ["user", "group", "subgroup", "membership", "constraint", "end"] as const;

/** @throws DirectoryError `invalid` for a first line of another kind or version. */
export function parseHeader(value: unknown): z.output<typeof headerSchema> {
  return parseBody(headerSchema, value);
}

/** Reads a line after the first. @throws DirectoryError `invalid` */
export function parseLine(value: unknown): Line | EndLine {
  const { type } = parseBody(z.looseObject({ type: z.enum(LINE_TYPES) }), value);
  if (type === "user") return parseBody(userSchema, value);
  if (type === "constraint") {
    const { type: _type, owner, ...fields } = value as Record<string, unknown>;
    const of = parseBody(z.strictObject({ owner: ownerSchema }), { owner });
    return { type, owner: of.owner, fields: parseBody(constraintFieldsSchema, fields) };
  }
  return parseBody(OTHERS[type] as z.ZodType<Line | EndLine>, value);
}
