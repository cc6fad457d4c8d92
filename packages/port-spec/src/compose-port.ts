import { canonicalIp } from "./ip-address.ts";
import { isObject } from "./json.ts";
import type { PortError, PortErrorCode } from "./port-error.ts";
import { formatPortRange, MAX_PORT, type PortRange, parsePortRange } from "./port-range.ts";
import { type PortSpec, parsePortSpec } from "./port-spec.ts";
import { parseProtocol } from "./protocol.ts";
import { err, ok, type Result } from "./result.ts";

/** One entry of a compose service's `ports`. */
export interface ComposePort {
  readonly spec: PortSpec;
  /** `host` publishes on the node itself, `ingress` is load balanced by Swarm; plain Docker publishes both alike. */
  readonly mode: "host" | "ingress";
  /** A name for people. */
  readonly name: string | undefined;
  /** What speaks over the port, such as `http`. */
  readonly appProtocol: string | undefined;
}

/** The long form of the Compose Specification (05-services, `ports`), with every field it knows. */
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
 * Reads one entry of compose's `ports`: a number, a short form, or the long form as YAML or JSON gave it.
 *
 * In the long form `target` is one container port, `published` a port or a pool (`8080-8090`), absent or 0 for dynamic;
 * `host_ip` a literal address without brackets; fields that begin with `x-` are the reader's own and passed over.
 *
 * @returns the entry, or the fault; its path is the field.
 */
export function parseComposePort(entry: unknown): Result<ComposePort, PortError> {
  if (typeof entry === "number" || typeof entry === "string") {
    const spec = parsePortSpec(`${entry}`);
    return spec.ok ? ok({ spec: spec.value, mode: "ingress", name: undefined, appProtocol: undefined }) : spec;
  }
  if (isObject(entry)) return parseLongForm(entry);
  return fault("wrong-type", "", entry, "a number, a text such as 8080:80, or a mapping with a target");
}

/** Writes the long form, one for each container port; each is read back by {@link parseComposePort}. */
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
  if (unknown !== undefined) return misfit(unknown, form[unknown], `one of ${[...FIELDS].join(", ")}`);
  const notText = TEXT_FIELDS.find((field) => form[field] !== undefined && typeof form[field] !== "string");
  if (notText !== undefined) return fault("wrong-type", notText, form[notText], "a text");
  const text = (field: string) => `${form[field] ?? ""}`;

  const target = parsePortRange(text("target"));
  if (text("target") === "") return fault("no-container-port", "target", "", "the container port");
  if (target === undefined || target.start === 0 || target.start !== target.end) {
    return fault("bad-container-port", "target", form.target, `one container port from 1 to ${MAX_PORT}`);
  }
  const host = text("published") === "" ? undefined : (parsePortRange(text("published")) ?? "malformed");
  if (host === "malformed" || (host?.start === 0 && host.end !== 0)) {
    const expected = `nothing or 0 for a dynamic port, a port from 1 to ${MAX_PORT}, or a rising range such as 8080-8090`;
    return fault("bad-host-port", "published", form.published, expected);
  }
  const hostIp = text("host_ip");
  if (hostIp !== "" && canonicalIp(hostIp) === undefined) {
    return fault("bad-host-ip", "host_ip", hostIp, "a literal IPv4 or IPv6 address without brackets");
  }
  const protocol = parseProtocol(text("protocol"));
  if (protocol === undefined) return fault("bad-protocol", "protocol", text("protocol"), "tcp, udp or sctp");
  const mode = text("mode") || "ingress";
  if (mode !== "host" && mode !== "ingress") return misfit("mode", mode, "host or ingress");
  const [name, appProtocol] = [text("name") || undefined, text("app_protocol") || undefined];
  return ok({ spec: { hostIp, host, container: target, protocol }, mode, name, appProtocol });
}

/** The words of Docker's parser for each fault it knows. */
const WORDS = {
  "wrong-type": "invalid type",
  "bad-long-form": "invalid port option",
  "no-container-port": "no port specified",
  "bad-container-port": "invalid containerPort",
  "bad-host-port": "invalid hostPort",
  "bad-host-ip": "invalid IP address",
  "bad-protocol": "invalid proto",
} satisfies Partial<Record<PortErrorCode, string>>;

function misfit(field: string, value: unknown, expected: string) {
  return fault("bad-long-form", field, value, expected);
}

function fault(code: keyof typeof WORDS, path: string, value: unknown, expected: string) {
  const input = typeof value === "string" ? value : JSON.stringify(value);
  return err<PortError>({ code, input, position: 0, path, expected, message: `${WORDS[code]}: ${input || "<empty>"}` });
}
