import { z } from "@hono/zod-openapi";

export const signInWaysSchema = z
  .object({
    sso: z
      .object({
        name: z.string().openapi({ description: "What the provider is called.", example: "Example Inc." }),
        path: z.string().openapi({ description: "Where a browser begins.", example: "/api/sso/start" }),
        signOutUrl: z
          .string()
          .nullable()
          .openapi({ description: "Where one signs out at the provider too.", example: null }),
      })
      .nullable()
      .openapi({ description: "Sign-in at a provider of OpenID Connect; null without one.", example: null }),
  })
  .openapi("WaysToSignIn");

export const identitySchema = z
  .object({
    issuer: z.string().openapi({ description: "The provider.", example: "https://id.example.com" }),
    subject: z.string().openapi({ description: "The provider's own id of the person.", example: "248289761001" }),
    since: z.iso
      .datetime()
      .openapi({ description: "When the person first signed in.", example: "2030-01-31T08:00:00.000Z" }),
  })
  .openapi("Identity");

const deviceCode = z
  .string()
  .min(1)
  .max(200)
  .openapi({ description: "The code that the command alone has.", example: "bth_…" });

export const newDeviceLoginSchema = z
  .strictObject({
    label: z
      .string()
      .min(1)
      .max(60)
      .regex(/^[^\p{C}]*$/u, "must not hold control characters")
      .openapi({ description: "What its user recognises the command by.", example: "ann@laptop" }),
  })
  .openapi("NewDeviceLogin");

export const startedDeviceLoginSchema = z
  .object({
    deviceCode,
    userCode: z.string().openapi({ description: "The code that its user types.", example: "BCDF-GHJK" }),
    path: z.string().openapi({ description: "The page for that, with the code.", example: "/device?code=BCDF-GHJK" }),
    expiresAt: z.iso.datetime(),
    interval: z.int().openapi({ description: "Seconds between two questions whether it is approved.", example: 2 }),
  })
  .openapi("StartedDeviceLogin");

export const deviceCodeSchema = z.strictObject({ deviceCode }).openapi("DeviceCode");

export const deviceLoginSchema = z
  .object({
    label: z.string().openapi({ description: "What the command says it is.", example: "ann@laptop" }),
    address: z.string().openapi({ description: "The address that it asks from.", example: "192.0.2.7" }),
    expiresAt: z.iso.datetime(),
  })
  .openapi("DeviceLogin");

export const deviceAnswerSchema = z
  .strictObject({ answer: z.enum(["approve", "decline"]).openapi({ description: "Your answer.", example: "approve" }) })
  .openapi("DeviceAnswer");
