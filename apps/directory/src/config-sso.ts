import { isIP } from "node:net";
import { SETTING_FORMS } from "@berth/service-kit";
import { z } from "zod";
import type { NewPeople } from "./sign-in/sso.ts";

const issuer = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Over plain HTTP whoever is on the way could sign in as anybody.
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url !== undefined && isSafe && url.search === "" && url.hash === "" && url.username === "") return url;
  context.addIssue(
    `want the provider's https:// address, such as https://id.example.com/realms/staff, not ${JSON.stringify(text)}`,
  );
  return z.NEVER;
});

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));
}

function printable(longest: number) {
  return z
    .string()
    .max(longest, `want at most ${longest} characters`)
    .regex(/^[^\p{C}]+$/u, "want a text without control characters");
}

const claim = z.string().regex(/^[\w:./-]{1,200}$/, "want the name of a claim, such as groups");

/** The settings of sign-in at a provider of OpenID Connect. */
export const SSO_ENVIRONMENT = {
  BERTH_OIDC_ISSUER: issuer.optional(),
  BERTH_OIDC_CLIENT_ID: printable(500).optional(),
  BERTH_OIDC_CLIENT_SECRET_FILE: z
    .string()
    .refine(SETTING_FORMS.absolutePath.matches, SETTING_FORMS.absolutePath.wanted)
    .optional(),
  BERTH_OIDC_NAME: printable(60).default("single sign-on"),
  BERTH_OIDC_SCOPES: z
    .string()
    .regex(/^openid( [\w:./-]+)*$/, "want scopes separated by spaces, openid first, such as openid profile email")
    .default("openid profile email"),
  BERTH_OIDC_LOGIN_CLAIM: claim.default("preferred_username"),
  BERTH_OIDC_GROUPS_CLAIM: claim.optional(),
  BERTH_OIDC_NEW_USERS: z.enum(["refuse", "create"], "want refuse or create").default("refuse"),
};

export interface SsoConfig {
  readonly issuer: URL;
  readonly clientId: string;
  /** Holds the client's secret; undefined for a public client. */
  readonly clientSecretFile: string | undefined;
  readonly name: string;
  readonly scope: string;
  readonly loginClaim: string;
  readonly groupsClaim: string | undefined;
  readonly newPeople: NewPeople;
}

type Values = z.output<z.ZodObject<typeof SSO_ENVIRONMENT>>;

/** What is missing where a provider is named by half. */
export function ssoFaults(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { BERTH_OIDC_ISSUER: at = "", BERTH_OIDC_CLIENT_ID: id = "" } = env;
  if (at !== "" && id === "") return ["BERTH_OIDC_CLIENT_ID: is missing: the client that the provider knows"];
  if (at === "" && id !== "") return ["BERTH_OIDC_ISSUER: is missing: the provider's address"];
  return [];
}

export function ssoConfig(values: Values): SsoConfig | undefined {
  if (values.BERTH_OIDC_ISSUER === undefined || values.BERTH_OIDC_CLIENT_ID === undefined) return undefined;
  return {
    issuer: values.BERTH_OIDC_ISSUER,
    clientId: values.BERTH_OIDC_CLIENT_ID,
    clientSecretFile: values.BERTH_OIDC_CLIENT_SECRET_FILE,
    name: values.BERTH_OIDC_NAME,
    scope: values.BERTH_OIDC_SCOPES,
    loginClaim: values.BERTH_OIDC_LOGIN_CLAIM,
    groupsClaim: values.BERTH_OIDC_GROUPS_CLAIM,
    newPeople: values.BERTH_OIDC_NEW_USERS,
  };
}
