import type { PortError, PortErrorCode } from "./port-error.ts";
import { MAX_PORT, parsePortRange } from "./port-range.ts";
import { type Protocol, parseProtocol } from "./protocol.ts";
import { err, ok, type Result } from "./result.ts";

/** A container port as the Docker API keys it: `80/tcp`. Port 1 to 65535, protocol lower case, no leading zeros. */
export type PortKey = `${number}/${Protocol}`;

/** A port of a container: its number, 1 to 65535, and its protocol. */
export interface ContainerPort {
  readonly port: number;
  readonly protocol: Protocol;
}

/** Formats the key of a container port; the inverse of {@link parsePortKey} on canonical keys. */
export function formatPortKey({ port, protocol }: ContainerPort): PortKey {
  return `${port}/${protocol}`;
}

/** The container port of a canonical key. */
export function portOfKey(key: PortKey): ContainerPort {
  const [port, protocol] = key.split("/") as [string, Protocol];
  return { port: Number(port), protocol };
}

/**
 * Parses a key of `ExposedPorts` or `PortBindings`: `80/tcp`, and the other spellings Docker accepts (`80`, `80/`, `080/TCP`).
 *
 * @returns the container port, or an error for port 0, ranges, anything that is not a number, and unknown protocols. The
 * message is dockerd's `invalid port specification: "<port part>"`, or `invalid proto: <protocol>`.
 */
export function parsePortKey(text: string): Result<ContainerPort, PortError> {
  const slash = text.indexOf("/");
  const number = slash < 0 ? text : text.slice(0, slash);
  const range = number.includes("-") ? undefined : parsePortRange(number);
  if (range === undefined) return err(badNumber(number === "" ? "no-container-port" : "bad-port-key", text, number));
  if (range.start === 0) return err(badNumber("bad-container-port", text, number));
  const protocol = slash < 0 ? "tcp" : parseProtocol(text.slice(slash + 1));
  if (protocol === undefined) {
    return err({
      code: "bad-protocol",
      input: text,
      position: slash + 1,
      path: "",
      expected: "tcp, udp or sctp",
      message: `invalid proto: ${text.slice(slash + 1)}`,
    });
  }
  return ok({ port: range.start, protocol });
}

function badNumber(code: PortErrorCode, input: string, number: string): PortError {
  const expected = `a container port from 1 to ${MAX_PORT} and its protocol, such as 80/tcp`;
  const message = `invalid port specification: ${JSON.stringify(number)}`;
  return { code, input, position: 0, path: "", expected, message };
}
