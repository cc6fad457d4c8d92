import { omitUndefined } from "@berth/service-kit/omit-undefined";
import type { z } from "zod";
import type { RegistryAuth } from "../../images/images.ts";
import { goString, goStruct } from "../go-json/go-json.ts";
import { parseJson } from "../go-json/json-body.ts";

/** Docker's AuthConfig, from a header or a body. */
export const authConfig: z.ZodType<RegistryAuth> = goStruct("types.AuthConfig", {
  username: goString.optional(),
  password: goString.optional(),
  identitytoken: goString.optional(),
  registrytoken: goString.optional(),
  serveraddress: goString.optional(),
}).transform((auth): RegistryAuth => omitUndefined(auth));

/** Parses `X-Registry-Auth` (base64, either alphabet). Absent and malformed values mean no login, as in dockerd. */
export function parseRegistryAuth(header: string | undefined): RegistryAuth | undefined {
  if (header === undefined || header === "") return undefined;
  try {
    const parsed = authConfig.safeParse(parseJson(Buffer.from(header, "base64url")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
