import type { Constraint } from "@berth/directory-domain";
import { formatPortRange } from "@berth/port-spec";

/** A constraint's kind and value as `constraints add` takes them: `--ports 8000-8099,53/udp`. */
export function describeConstraint(constraint: Constraint): string {
  switch (constraint.kind) {
    case "host-ports":
      return `ports ${list(constraint.ports.map(({ start, end, protocol }) => formatPortRange({ start, end }) + (protocol === undefined ? "" : `/${protocol}`)))}`;
    case "host-interfaces":
      return `interfaces ${list(constraint.addresses)}`;
    case "images":
      return `images ${list(constraint.patterns)}`;
    case "mounts":
      return `mounts ${list(constraint.folders.map(({ path, readOnly }) => (readOnly ? `${path}:ro` : path)))}`;
    case "privileges":
      return `privileges ${list(constraint.privileges)}`;
    case "networks":
      return `networks ${list(constraint.names)}`;
    case "subnets":
      return `subnets ${list(constraint.subnets)}`;
    case "quota":
    case "shared-quota":
      return `${constraint.kind} ${constraint.resource}=${constraint.resource === "memory" ? bytes(constraint.max) : constraint.max}`;
    default:
      return (constraint as { kind: string }).kind;
  }
}

function list(values: readonly string[]): string {
  return values.length === 0 ? "none" : values.join(",");
}

function bytes(amount: number): string {
  for (const [suffix, size] of [
    ["g", 2 ** 30],
    ["m", 2 ** 20],
    ["k", 2 ** 10],
  ] as const)
    if (amount > 0 && amount % size === 0) return `${amount / size}${suffix}`;
  return String(amount);
}
