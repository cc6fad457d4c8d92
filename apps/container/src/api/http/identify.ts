import { EngineError } from "../../engine/errors.ts";
import type { Directory } from "../../policy/directory.ts";
import type { Identify } from "./edge.ts";

/** `Bearer TOKEN`, or `Basic` with the token as the password, for clients that can send nothing else (RFC 6750, RFC 7617). */
function tokenOf(authorization: string): string | undefined {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return undefined;
  const [, password] = /^[^:]*:(.+)$/.exec(Buffer.from(value, "base64").toString("utf8")) ?? [];
  return password;
}

/**
 * Identifies the sender of a request. A unix socket belongs to a fixed user, whatever the request says. Over TCP the request's token
 * identifies the user; over TLS without an `Authorization` header the client certificate does.
 */
export function createIdentify({ whoseToken, whoseLogin }: Directory): Identify {
  return async ({ listener, authorization, certificate }) => {
    if (listener.kind === "unix") return listener.actor;
    if (listener.kind === "user") return whoseLogin(listener.login);
    if (authorization !== undefined) {
      const token = tokenOf(authorization);
      return token === undefined ? undefined : whoseToken(token);
    }
    if (certificate === undefined) return undefined;
    if ("fault" in certificate)
      throw new EngineError("unauthorized", `the client certificate is not accepted: ${certificate.fault}`);
    return whoseLogin(certificate.name);
  };
}
