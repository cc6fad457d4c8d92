import type { WhoseToken } from "./policy/directory.ts";
import type { Credentials, Identify } from "./routes/edge.ts";

/** `Bearer TOKEN`, or `Basic` with the token as the password, which is all that some clients can send (RFC 6750, RFC 7617). */
const tokenOf = (authorization: string): string | undefined => {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return undefined;
  const [, password] = /^[^:]*:(.+)$/.exec(Buffer.from(value, "base64").toString("utf8")) ?? [];
  return password;
};

/** Who a request comes from: the actor that its socket belongs to, or over TCP whoever its token names. */
export const createIdentify =
  (whoseToken: WhoseToken): Identify =>
  async ({ listener, authorization }: Credentials) => {
    if (listener.kind === "unix") return listener.actor;
    const token = authorization === undefined ? undefined : tokenOf(authorization);
    return token === undefined ? undefined : whoseToken(token);
  };
