import { KINDS, type Kind, type Resource } from "@berth/directory-domain";
import type { Schemas } from "../api/client.ts";

/** A constraint as the directory shows it; its value fields go by its kind. */
export type Shown = Schemas["Constraint"];

export const KIND_TEXTS: Readonly<Record<Kind, string>> = {
  "host-ports": "Host ports",
  "host-interfaces": "Host addresses",
  images: "Images",
  mounts: "Host folders",
  privileges: "Privileges",
  networks: "Networks of others",
  subnets: "Subnets of own networks",
  quota: "Quotas",
  "shared-quota": "Shared quotas",
};

export const EFFECT_TEXTS = { grant: "Grants", limit: "Limits to", deny: "Denies" } as const;

export const RESOURCE_TEXTS: Readonly<Record<Resource, string>> = {
  containers: "containers",
  "published-ports": "published ports",
  memory: "memory",
  cpu: "processors",
  pids: "processes",
  networks: "networks",
  storage: "disk",
};

export function kindOf({ kind }: Pick<Shown, "kind">): Kind | undefined {
  return KINDS.find((one) => one === kind);
}

/** The value in words: `8000–8099, 53/udp`. */
export function describeValue(constraint: object): string {
  const fields = constraint as Readonly<Record<string, unknown>>;
  if (Array.isArray(fields.ports)) return list(fields.ports.map(portText));
  if (Array.isArray(fields.folders)) return list(fields.folders.map(folderText));
  for (const name of ["addresses", "patterns", "privileges", "names", "subnets"]) {
    const values = fields[name];
    if (Array.isArray(values)) return list(values.map((one) => (one === "*" ? "all" : String(one))));
  }
  if (typeof fields.max === "number" && typeof fields.resource === "string")
    return amountText(fields.resource as Resource, fields.max);
  return "a value that this console does not know";
}

/** `4 GiB memory`, `20 containers` */
export function amountText(resource: Resource, amount: number): string {
  return `${numberText(resource, amount)} ${RESOURCE_TEXTS[resource] ?? resource}`;
}

export function numberText(resource: Resource, amount: number): string {
  return resource === "memory" || resource === "storage" ? bytesText(amount) : amount.toLocaleString("en");
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Number((bytes / 2 ** (10 * power)).toPrecision(3)).toLocaleString("en")} ${UNITS[power]}`;
}

function list(values: readonly string[]): string {
  return values.length === 0 ? "none" : values.join(", ");
}

function portText({ start, end = start, protocol }: { start: number; end?: number; protocol?: string }): string {
  return `${start === end ? start : `${start}–${end}`}${protocol === undefined ? "" : `/${protocol}`}`;
}

function folderText({ path, readOnly }: { path: string; readOnly: boolean }): string {
  return readOnly ? `${path} (read-only)` : path;
}
