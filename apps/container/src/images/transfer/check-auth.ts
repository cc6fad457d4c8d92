import { EngineError } from "../../engine/errors.ts";
import type { Images, RegistryAuth } from "../images.ts";
import type { NetworkScope } from "../registry/network-scope.ts";
import type { Registry } from "../registry/registry.ts";
import { RegistryError } from "../registry/registry-error.ts";
import { toPullError } from "./pull-errors.ts";

const TIMEOUT_MS = 30_000;
const HUB = "docker.io";

/**
 * Converts the server address of a log-in to the domain used in image names: drops the scheme and maps Docker's legacy index to
 * docker.io. Throws `invalid`.
 */
export function domainOf({ serveraddress = "" }: RegistryAuth): string {
  const [host = ""] = serveraddress.replace(/^https?:\/\//, "").split("/");
  if (host === "" || host === "index.docker.io" || host === "registry-1.docker.io") return HUB;
  if (!/^[A-Za-z0-9.:[\]-]+$/.test(host) || !URL.canParse(`https://${host}`))
    throw new EngineError("invalid", `unable to parse server address: ${JSON.stringify(host)}`);
  return host;
}

/** `POST /auth`: verifies credentials with the registry. Throws `unauthorized` if the registry rejects them. */
export async function checkAuth(
  registry: Registry,
  auth: RegistryAuth,
  { networkScope }: { readonly networkScope: NetworkScope },
): ReturnType<Images["checkAuth"]> {
  const domain = domainOf(auth);
  try {
    await registry.checkAuth(domain, { auth, networkScope, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (thrown) {
    if (!(thrown instanceof RegistryError)) throw thrown;
    if (thrown.status === 401) throw new EngineError("unauthorized", thrown.message, { cause: thrown });
    throw toPullError(thrown, { domain, path: "" });
  }
  return { Status: "Login Succeeded", IdentityToken: "" };
}
