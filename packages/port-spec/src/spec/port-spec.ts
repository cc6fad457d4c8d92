import { formatEndpoint, isIp } from "./ip-address.ts";
import { readLongForm } from "./long-form.ts";
import type { PortError, PortErrorCode } from "./port-error.ts";
import { formatPortRange, MAX_PORT, type PortRange, parsePortRange, portRangeSize } from "./port-range.ts";
import { type Protocol, parseProtocol } from "./protocol.ts";
import { err, ok, type Result } from "./result.ts";

/**
 * One parsed `-p` argument: `[hostIp:][hostPort[-end]:]containerPort[-end][/protocol]`.
 *
 * With as many host ports as container ports, the i-th host port goes to the i-th container port. One container port with a
 * range of host ports is a pool: at start it gets the first free port of the range.
 */
export interface PortSpec {
  /** A literal address as typed, without brackets; empty for every interface. */
  readonly hostIp: string;
  /** The host ports; `undefined` or port 0 for a dynamic port. */
  readonly host: PortRange | undefined;
  /** The container ports, 1 to 65535. */
  readonly container: PortRange;
  readonly protocol: Protocol;
}

/**
 * Parses one port spec, in the short form or the CLI's long form (`published=8080,target=80,protocol=tcp`).
 *
 * Accepts what `docker run -p` accepts, with the same meaning, except four forms that newer parsers reject too: container
 * port 0, a host range from 0 (`0-2:80`), a second `-` (`1-2-3`), a second `/` (`80/tcp/udp`).
 *
 * @example
 * ```ts
 * parsePortSpec("127.0.0.1:8080:80/udp");
 * // => { ok: true, value: { hostIp: "127.0.0.1", host: { start: 8080, end: 8080 }, container: { start: 80, end: 80 }, protocol: "udp" } }
 * ```
 *
 * @param text for example `80`, `8080:80`, `127.0.0.1::80`, `[::1]:8080:80/udp`, `8000-8010:80`. It is not trimmed.
 * @returns the spec; or what is wrong, where, what is expected, and the CLI's own message.
 */
export function parsePortSpec(text: string): Result<PortSpec, PortError> {
  return text.includes("=") ? parseLongForm(text) : parseShortForm(text);
}

/**
 * Formats the short form; the inverse of {@link parsePortSpec}.
 *
 * @returns for example `127.0.0.1:8080:80/tcp`; always with the protocol, and with brackets around IPv6 addresses.
 */
export function formatPortSpec(spec: PortSpec): string {
  const host = spec.host === undefined ? "" : formatPortRange(spec.host);
  const container = `${formatPortRange(spec.container)}/${spec.protocol}`;
  if (spec.hostIp !== "") return `${formatEndpoint(spec.hostIp, host)}:${container}`;
  return host === "" ? container : `${host}:${container}`;
}

function parseLongForm(text: string): Result<PortSpec, PortError> {
  const form = readLongForm(text);
  if (!form.ok) return form;
  const spec = parseShortForm(form.value.short);
  if (spec.ok) return spec;
  return err({ ...spec.error, input: text, position: form.value.positionOf(spec.error.position) });
}

function parseShortForm(text: string): Result<PortSpec, PortError> {
  // The last field is the container's, the one before it the host's, and the rest is the address, so bare IPv6 works.
  const containerAt = text.lastIndexOf(":") + 1;
  const hostEnd = containerAt === 0 ? 0 : containerAt - 1;
  const hostAt = hostEnd === 0 ? 0 : text.lastIndexOf(":", hostEnd - 1) + 1;
  const slash = text.indexOf("/", containerAt);
  const containerEnd = slash < 0 ? text.length : slash;

  // The checks are in the CLI's order.
  const hostIp = hostAt < 2 ? "" : readHostIp(text.slice(0, hostAt - 1));
  if (typeof hostIp !== "string") {
    return invalid(
      text,
      "bad-host-ip",
      0,
      "a literal IPv4 or IPv6 address, such as 127.0.0.1 or [::1]",
      hostIp.message,
    );
  }
  if (containerEnd === containerAt) {
    const expected = "a container port, such as the 80 of 8080:80";
    return invalid(text, "no-container-port", containerAt, expected, `no port specified: ${text}<empty>`);
  }
  const container = parsePortRange(text, containerAt, containerEnd);
  if (container === undefined || container.start === 0) {
    const expected = `a port from 1 to ${MAX_PORT}, or an ascending range such as 80-82`;
    const message = `invalid containerPort: ${text.slice(containerAt, containerEnd)}`;
    return invalid(text, "bad-container-port", containerAt, expected, message);
  }
  const host = hostEnd === hostAt ? undefined : (parsePortRange(text, hostAt, hostEnd) ?? "malformed");
  if (host === "malformed" || (host?.start === 0 && host.end !== 0)) {
    const expected = `nothing or 0 for a dynamic port, a port from 1 to ${MAX_PORT}, or an ascending range such as 8000-8010`;
    return invalid(text, "bad-host-port", hostAt, expected, `invalid hostPort: ${text.slice(hostAt, hostEnd)}`);
  }
  const size = portRangeSize(container);
  if (host !== undefined && size > 1 && portRangeSize(host) !== size) {
    const ranges = `${text.slice(containerAt, containerEnd)} and ${text.slice(hostAt, hostEnd)}`;
    const message = `invalid ranges specified for container and host Ports: ${ranges}`;
    return invalid(text, "range-mismatch", hostAt, `as many host ports as container ports (${size})`, message);
  }
  const protocol = slash < 0 ? "tcp" : parseProtocol(text.slice(slash + 1));
  if (protocol === undefined) {
    return invalid(text, "bad-protocol", slash + 1, "tcp, udp or sctp", `invalid proto: ${text.slice(slash + 1)}`);
  }
  return ok({ hostIp, host, container, protocol });
}

function invalid(input: string, code: PortErrorCode, position: number, expected: string, message: string) {
  return err<PortError>({ code, input, position, path: "", expected, message });
}

/** The address without brackets, or the CLI's error message (Go's `net.SplitHostPort`). */
function readHostIp(text: string): string | { readonly message: string } {
  const bracketed = text.startsWith("[");
  const close = text.indexOf("]");
  const inner = bracketed ? text.slice(1, close) : text;
  const misplaced = bracketed ? misplacedBracket(text, inner, close) : undefined;
  if (misplaced !== undefined)
    return { message: `invalid IP address ${text}: address ${text}:: ${misplaced} in address` };
  if ((bracketed && inner === "") || isIp(inner)) return inner;
  return { message: `invalid IP address: ${inner}` };
}

function misplacedBracket(text: string, inner: string, close: number): string | undefined {
  if (close < 0) return "missing ']'";
  if (close < text.length - 1) return text[close + 1] === ":" ? "too many colons" : "missing port";
  return inner.includes("[") ? "unexpected '['" : undefined;
}
