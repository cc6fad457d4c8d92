import { EngineError } from "../../engine/errors.ts";
import type { Directory } from "../../policy/directory.ts";
import type { Identify } from "./edge.ts";

/** `Bearer TOKEN`, or `Basic` with the token as the password, which is all that some clients can send (RFC 6750, RFC 7617). */
function tokenOf(authorization: string): string | undefined {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return undefined;
  const [, password] = /^[^:]*:(.+)$/.exec(Buffer.from(value, "base64").toString("utf8")) ?? [];
  return password;
}

/**
 * Who a request comes from. A socket speaks for whom it belongs to, whatever the request says. Over TCP it is whoever the token of
 * the request names; over TLS without an `Authorization` header it is whoever the client's certificate names.
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
