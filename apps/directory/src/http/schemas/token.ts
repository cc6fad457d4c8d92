import { z } from "@hono/zod-openapi";
import { ALL_SCOPES, TOKEN_SCOPES, type TokenRecord } from "../../accounts/records.ts";
import { idQuery, idSchema, instantSchema, nullable, PAGE_PARAMETERS } from "./common.ts";
import { codeSchema } from "./second-factor.ts";
import { passSchema, userSchema } from "./user.ts";

const scopes = z.array(z.enum(TOKEN_SCOPES)).min(1).max(TOKEN_SCOPES.length);

export const newTokenSchema = z
  .strictObject({
    label: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[^\p{C}]*$/u, "must not hold control characters"),
    scopes: scopes.transform((list) => [...new Set(list)]),
    expiresAt: nullable(instantSchema).default(null),
    userId: idSchema
      .optional()
      .openapi({ description: "The token's owner, by default yourself; only administrators may name others." }),
  })
  .openapi("NewToken");

export const tokenSchema = z
  .object({
    id: idSchema,
    userId: idSchema,
    label: z.string(),
    scopes: z.array(z.enum(ALL_SCOPES)),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .openapi("Token");

export const issuedTokenSchema = tokenSchema.extend({ token: z.string() }).openapi("IssuedToken");
export const tokenQuerySchema = z.strictObject({ userId: idQuery.optional(), ...PAGE_PARAMETERS });

const loginOrEmail = z
  .string()
  .max(300)
  .regex(/^[^\p{Cc}]*$/u, "must not hold control characters");

/** Names the user by `login`, which may also be an e-mail, or by `email`. */
export const signInSchema = z
  .strictObject({
    login: loginOrEmail.optional(),
    email: loginOrEmail.optional(),
    pass: passSchema,
    code: codeSchema.optional(),
    cookie: z.boolean().default(false).openapi({ description: "Return the session in a cookie, for browsers." }),
  })
  .refine((body) => (body.login === undefined) !== (body.email === undefined), {
    message: "requires exactly one of login and email",
    path: ["login"],
  })
  .openapi("SignIn");

export const sessionSchema = z
  .object({
    token: z.string().optional().openapi({ description: "Absent when the session is in a cookie." }),
    expiresAt: z.iso.datetime().nullable(),
    user: userSchema,
  })
  .openapi("Session");

export const meSchema = userSchema
  .extend({ scopes: z.array(z.enum(ALL_SCOPES)), tokenId: idSchema.nullable() })
  .openapi("Me");

export const changePassSchema = z
  .strictObject({ current: passSchema.nullable().default(null), pass: passSchema })
  .openapi("ChangePass");

export const passLinkSchema = z
  .object({
    path: z.string().openapi({ description: "The page's path, with the link's token in its fragment." }),
    expiresAt: z.iso.datetime(),
  })
  .openapi("PassLink");

export const linkedPassSchema = z.strictObject({ pass: passSchema }).openapi("LinkedPass");

export function showToken(token: TokenRecord): z.input<typeof tokenSchema> {
  const { id, userId, label, expiresAt, lastUsedAt, createdAt } = token;
  return { id, userId, label, scopes: [...token.scopes], expiresAt, lastUsedAt, createdAt };
}
