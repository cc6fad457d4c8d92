import { readFile } from "node:fs/promises";
import type { SsoConfig } from "./config-sso.ts";
import type { SingleSignOn } from "./sign-in/sso.ts";

/** Sign-in at the provider of the settings, which need not answer yet. Throws if the client's secret cannot be read. */
export async function openSso({ clientSecretFile, name, newPeople, ...settings }: SsoConfig): Promise<SingleSignOn> {
  const { OpenIdProvider } = await import("./sign-in/openid-provider.ts");
  const clientSecret = clientSecretFile === undefined ? undefined : await readSecret(clientSecretFile);
  return { provider: new OpenIdProvider({ ...settings, clientSecret }), name, newPeople };
}

async function readSecret(file: string): Promise<string> {
  const content = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`BERTH_OIDC_CLIENT_SECRET_FILE: ${file} cannot be read`, { cause });
  });
  const secret = content.trim();
  if (secret === "") throw new Error(`BERTH_OIDC_CLIENT_SECRET_FILE: ${file} is empty`);
  return secret;
}
