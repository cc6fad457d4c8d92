import { canonicalIp } from "../spec/ip-address.ts";
import type { PortError, PortErrorCode } from "../spec/port-error.ts";
import { formatPortRange, MAX_PORT, type PortRange, parsePortRange } from "../spec/port-range.ts";
import { type PortSpec, parsePortSpec } from "../spec/port-spec.ts";
import { parseProtocol } from "../spec/protocol.ts";
import { err, ok, type Result } from "../spec/result.ts";
import { jsonType } from "./json-type.ts";

/** One entry of a compose service's `ports`. */
export interface ComposePort {
  readonly spec: PortSpec;
  /** `host` publishes on the node itself, `ingress` is load balanced by Swarm; without Swarm both publish alike. */
  readonly mode: "host" | "ingress";
  /** A name for people. */
  readonly name: string | undefined;
  /** The application protocol, such as `http`. */
  readonly appProtocol: string | undefined;
}

/** The long form of the Compose Specification (05-services, `ports`), with all its fields. */
export interface ComposeLongForm {
  readonly target: number;
  readonly published?: string;
  readonly host_ip?: string;
  readonly protocol: string;
  readonly mode: string;
  readonly name?: string;
  readonly app_protocol?: string;
}

const TEXT_FIELDS = ["host_ip", "protocol", "mode", "name", "app_protocol"] as const;
const FIELDS: ReadonlySet<string> = new Set(["target", "published", ...TEXT_FIELDS]);

/**
 * Parses one entry of compose's `ports`: a number, a short form, or the long form, as a YAML or JSON parser returns it.
 *
 * In the long form `target` is one container port; `published` is a port or a pool (`8080-8090`), absent or 0 for a dynamic
 * port; `host_ip` is a literal address without brackets; fields that start with `x-` are extensions and ignored.
 *
 * @example
 * ```ts
 * const port = parseComposePort({ target: 80, published: "8080-8090", protocol: "tcp" });
 * port.ok && port.value.spec.host; // => { start: 8080, end: 8090 }
 * ```
 *
 * @returns the entry, or the error, whose path is the field.
 */
export function parseComposePort(entry: unknown): Result<ComposePort, PortError> {
  if (typeof entry === "number" || typeof entry === "string") {
    const spec = parsePortSpec(`${entry}`);
    return spec.ok ? ok({ spec: spec.value, mode: "ingress", name: undefined, appProtocol: undefined }) : spec;
  }
  if (jsonType(entry) === "object") return parseLongForm(entry as Readonly<Record<string, unknown>>);
  return invalid("wrong-type", "", entry, "a number, a string such as 8080:80, or a mapping with a target");
}

/** Formats the long form, one entry for each container port; {@link parseComposePort} parses each back. */
export function formatComposePort({ spec, mode, name, appProtocol }: ComposePort): readonly ComposeLongForm[] {
  const { hostIp, host, container, protocol } = spec;
  const forms: ComposeLongForm[] = [];
  for (let target = container.start; target <= container.end; target++) {
    const place = target - container.start;
    forms.push({
      target,
      ...(host !== undefined && {
        published: formatPortRange(container.end > container.start ? nth(host, place) : host),
      }),
      ...(hostIp !== "" && { host_ip: hostIp }),
      protocol,
      mode,
      ...(name !== undefined && { name }),
      ...(appProtocol !== undefined && { app_protocol: appProtocol }),
    });
  }
  return forms;
}

function nth(host: PortRange, place: number): PortRange {
  return { start: host.start + place, end: host.start + place };
}

function parseLongForm(form: Readonly<Record<string, unknown>>): Result<ComposePort, PortError> {
  const unknown = Object.keys(form).find((field) => !FIELDS.has(field) && !field.startsWith("x-"));
  if (unknown !== undefined)
    return invalid("bad-long-form", unknown, form[unknown], `one of ${[...FIELDS].join(", ")}`);
  const notText = TEXT_FIELDS.find((field) => form[field] !== undefined && typeof form[field] !== "string");
  if (notText !== undefined) return invalid("wrong-type", notText, form[notText], "a string");
  const text = (field: string) => `${form[field] ?? ""}`;

  const target = parsePortRange(text("target"));
  if (text("target") === "") return invalid("no-container-port", "target", "", "the container port");
  if (target === undefined || target.start === 0 || target.start !== target.end) {
    return invalid("bad-container-port", "target", form.target, `one container port from 1 to ${MAX_PORT}`);
  }
  const host = text("published") === "" ? undefined : (parsePortRange(text("published")) ?? "malformed");
  if (host === "malformed" || (host?.start === 0 && host.end !== 0)) {
    const expected = `nothing or 0 for a dynamic port, a port from 1 to ${MAX_PORT}, or an ascending range such as 8080-8090`;
    return invalid("bad-host-port", "published", form.published, expected);
  }
  const hostIp = text("host_ip");
  if (hostIp !== "" && canonicalIp(hostIp) === undefined) {
    return invalid("bad-host-ip", "host_ip", hostIp, "a literal IPv4 or IPv6 address without brackets");
  }
  const protocol = parseProtocol(text("protocol"));
  if (protocol === undefined) return invalid("bad-protocol", "protocol", text("protocol"), "tcp, udp or sctp");
  const mode = text("mode") || "ingress";
  if (mode !== "host" && mode !== "ingress") return invalid("bad-long-form", "mode", mode, "host or ingress");
  const [name, appProtocol] = [text("name") || undefined, text("app_protocol") || undefined];
  return ok({ spec: { hostIp, host, container: target, protocol }, mode, name, appProtocol });
}

/** The start of each message; Docker's own words where its parser knows the error. */
const MESSAGES = {
  "wrong-type": "invalid type",
  "bad-long-form": "invalid port option",
  "no-container-port": "no port specified",
  "bad-container-port": "invalid containerPort",
  "bad-host-port": "invalid hostPort",
  "bad-host-ip": "invalid IP address",
  "bad-protocol": "invalid proto",
} satisfies Partial<Record<PortErrorCode, string>>;

function invalid(code: keyof typeof MESSAGES, path: string, value: unknown, expected: string) {
  const input = typeof value === "string" ? value : JSON.stringify(value);
  return err<PortError>({
    code,
    input,
    position: 0,
    path,
    expected,
    message: `${MESSAGES[code]}: ${input || "<empty>"}`,
  });
}
