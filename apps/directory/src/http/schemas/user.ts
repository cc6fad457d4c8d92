import {
  MAX_EMAIL_BYTES,
  MAX_LOGIN_LENGTH,
  MAX_NAME_LENGTH,
  parseDisplayName,
  parseEmail,
  parseLogin,
  ROLES,
  USER_KINDS,
} from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import type { UserRecord } from "../../accounts/records.ts";
import { USER_SORTS } from "../../accounts/stores.ts";
import {
  COUNT_PARAMETER,
  externalIdSchema,
  FLAG_SCHEMA,
  idQuery,
  idSchema,
  nullable,
  ownFieldsPatchSchema,
  ownFieldsSchema,
  PAGE_PARAMETERS,
  parsedText,
  STAMP_SCHEMAS,
  shownFieldsSchema,
  sortParameter,
} from "./common.ts";

const login = parsedText(parseLogin, { maxLength: MAX_LOGIN_LENGTH });
const email = nullable(parsedText(parseEmail, { maxLength: MAX_EMAIL_BYTES }));
const name = nullable(parsedText(parseDisplayName, { maxLength: MAX_NAME_LENGTH }));
const role = z.enum(ROLES);
const kind = z.enum(USER_KINDS);
const externalId = externalIdSchema.nullable();
// The length is checked with the other password rules, for one consistent message.
export const passSchema = z.string().openapi({ writeOnly: true, maxLength: 256 });

export const newUserSchema = z
  .strictObject({
    login,
    email: email.default(null),
    name: name.default(null),
    pass: passSchema.nullable().default(null),
    role: role.default("user"),
    active: z.boolean().default(true),
    externalId: externalId.default(null),
    kind: kind.default("person"),
    fields: ownFieldsSchema.prefault({}),
  })
  .openapi("NewUser");

/** An omitted `name` becomes null; omitted administrative fields (`pass`, `role`, `active`, `externalId`, `fields`) are kept. */
export const replacedUserSchema = z
  .strictObject({
    login,
    email,
    name: name.default(null),
    pass: passSchema.optional(),
    role: role.optional(),
    active: z.boolean().optional(),
    externalId: externalId.optional(),
    fields: ownFieldsSchema.optional(),
  })
  .openapi("ReplacedUser");

export const patchedUserSchema = z
  .strictObject({
    login: login.optional(),
    email: email.optional(),
    name: name.optional(),
    pass: passSchema.optional(),
    role: role.optional(),
    active: z.boolean().optional(),
    externalId: externalId.optional(),
    fields: ownFieldsPatchSchema.optional(),
  })
  .openapi("PatchedUser");

export const userSchema = z
  .object({
    id: idSchema,
    login: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    kind,
    role,
    active: z.boolean(),
    externalId: z.string().nullable(),
    fields: shownFieldsSchema,
    ...STAMP_SCHEMAS,
  })
  .openapi("User");

export const userQuerySchema = z.strictObject({
  login: z.string().max(200).optional(),
  email: z.string().max(300).optional(),
  q: z.string().min(1).max(300).optional(),
  group: idQuery.optional(),
  active: FLAG_SCHEMA.optional(),
  role: role.optional(),
  kind: kind.optional(),
  externalId: z.string().max(200).optional(),
  sort: sortParameter(USER_SORTS),
  ...PAGE_PARAMETERS,
  ...COUNT_PARAMETER,
});

/** Lists every field, so that a new column never appears in an answer by accident. */
export function showUser(user: UserRecord): z.input<typeof userSchema> {
  const { id, login, email, name, kind, role, active, externalId, fields, version, createdAt, updatedAt } = user;
  return { id, login, email, name, kind, role, active, externalId, fields, version, createdAt, updatedAt };
}

/** An argon2id hash of another directory. */
export const passHashSchema = z
  .string()
  .max(500)
  .regex(
    /^\$argon2id\$v=19\$m=\d{1,7},t=\d{1,3},p=\d{1,2}\$[\w+/]{11,}\$[\w+/]{22,}$/,
    "must be an argon2id hash in PHC form",
  )
  .nullable()
  .default(null);

/** A line of an import. */
export const importedUserSchema = z
  .object({
    ...newUserSchema.omit({ pass: true }).shape,
    // Every line says whether the user has an address.
    email,
    passHash: passHashSchema,
    // Exported, and assigned again by an import.
    id: z.unknown().optional(),
    version: z.unknown().optional(),
    createdAt: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
  })
  .strict()
  .transform(({ id: _id, version: _version, createdAt: _created, updatedAt: _updated, ...fields }) => fields);
