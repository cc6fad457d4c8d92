import { z } from "@hono/zod-openapi";
import { passSchema } from "./user.ts";

export const codeSchema = z.string().max(40).openapi({
  description:
    "Six digits of the authenticator, or a recovery code. It counts for nothing where the user has no second factor.",
  example: "492039",
  writeOnly: true,
});

export const factorStateSchema = z
  .object({
    state: z
      .enum(["none", "active"])
      .openapi({ description: "Whether sign-ins by password need a code.", example: "active" }),
    required: z.boolean().openapi({ description: "Whether the user has to have one.", example: false }),
    since: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "When it was set up.", example: "2030-01-31T08:00:00.000Z" }),
    recoveryCodesLeft: z.int().openapi({ description: "How many recovery codes were not used yet.", example: 9 }),
  })
  .openapi("SecondFactor");

export const newFactorSchema = z.strictObject({ pass: passSchema }).openapi("NewSecondFactor");

export const newSecretSchema = z
  .object({
    secret: z.string().openapi({
      description: "The secret, for typing it into an authenticator app; it is in this answer alone.",
      example: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    }),
    uri: z.string().openapi({
      description: "The same for a QR code.",
      example: "otpauth://totp/Berth:ann?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Berth",
    }),
  })
  .openapi("NewSecret");

export const codeBodySchema = z.strictObject({ code: codeSchema }).openapi("FactorCode");

export const recoveryCodesSchema = z
  .object({
    recoveryCodes: z.array(z.string()).openapi({
      description: "Codes that stand in for the second factor, once each; they are in this answer alone.",
      example: ["7KQ2-9XMB-40TZ-HR5W"],
    }),
  })
  .openapi("RecoveryCodes");
