import { bytesOf } from "@berth/cli/docker";
import { type Effect, HOST_PRIVILEGES, type Kind, type Resource } from "@berth/directory-domain";
import { err, ok, parsePortRange, parseProtocol, type Result } from "@berth/port-spec";
import type { Schemas } from "../api/client.ts";
import { kindOf, type Shown } from "./describe.ts";

/** A constraint while somebody writes it, in the texts of its form. */
export interface Draft {
  readonly kind: Kind;
  readonly effect: Effect;
  /** One value a line: ports, addresses, patterns, names, subnets. */
  readonly lines: string;
  readonly folders: readonly { readonly path: string; readonly readOnly: boolean }[];
  readonly privileges: readonly string[];
  /** Names of capabilities, separated by spaces or commas. */
  readonly capabilities: string;
  readonly resource: Resource;
  readonly amount: string;
  readonly note: string;
  /** Local time as `2030-01-31T08:00`; empty for never. */
  readonly expires: string;
}

export const NEW_DRAFT: Draft = {
  kind: "host-ports",
  effect: "limit",
  lines: "",
  folders: [{ path: "", readOnly: true }],
  privileges: [],
  capabilities: "",
  resource: "containers",
  amount: "",
  note: "",
  expires: "",
};

/** The name of the field that holds the lines of a kind. */
const LINE_FIELDS = {
  "host-interfaces": "addresses",
  images: "patterns",
  networks: "names",
  subnets: "subnets",
} as const satisfies Partial<Record<Kind, string>>;

export type NewConstraint = Schemas["NewConstraint"];

/** Reads a draft. @returns the body for the directory, or what is wrong. */
export function readDraft(draft: Draft): Result<NewConstraint, string> {
  const value = readValue(draft);
  if (!value.ok) return value;
  const body = {
    kind: draft.kind,
    effect: draft.effect,
    ...value.value,
    note: draft.note.trim() === "" ? null : draft.note.trim(),
    expiresAt: draft.expires === "" ? null : new Date(draft.expires).toISOString(),
  };
  // The kind and its fields go together, as `readValue` has them.
  return ok(body as NewConstraint);
}

function readValue(draft: Draft): Result<object, string> {
  const { kind } = draft;
  switch (kind) {
    case "host-ports":
      return readPorts(linesOf(draft));
    case "mounts": {
      const folders = draft.folders.filter(({ path }) => path.trim() !== "");
      return ok({ folders: folders.map(({ path, readOnly }) => ({ path: path.trim(), readOnly })) });
    }
    case "privileges": {
      const capabilities = draft.capabilities.split(/[\s,]+/).filter((name) => name !== "");
      const named = capabilities.map((name) => `capability:${name.toUpperCase().replace(/^CAP_/, "")}`);
      return ok({ privileges: [...draft.privileges, ...named] });
    }
    case "quota":
    case "shared-quota":
      return readAmount(draft);
    default:
      return ok({ [LINE_FIELDS[kind]]: linesOf(draft) });
  }
}

function linesOf({ lines }: Draft): readonly string[] {
  return lines
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function readPorts(lines: readonly string[]): Result<object, string> {
  const ports: object[] = [];
  for (const line of lines) {
    const [text = "", name] = line.replace("–", "-").split("/");
    const range = parsePortRange(text.replaceAll(" ", ""));
    const protocol = name === undefined ? undefined : parseProtocol(name);
    if (range === undefined || range.start < 1 || (name !== undefined && protocol === undefined))
      return err(`${line} is no port: write a port or a range from 1 to 65535, such as 8000-8099 or 53/udp`);
    ports.push({ start: range.start, end: range.end, ...(protocol === undefined ? {} : { protocol }) });
  }
  return ok({ ports });
}

function readAmount({ resource, amount }: Draft): Result<object, string> {
  const isBytes = resource === "memory" || resource === "storage";
  const text = amount.trim();
  const max = isBytes ? bytesOf(text) : /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (max !== undefined) return ok({ resource, max });
  return err(isBytes ? "Write an amount of bytes, such as 512m or 4g." : "Write a number.");
}

/** The draft of a constraint that is there; undefined for one that this console does not know. */
export function draftOf(constraint: Shown): Draft | undefined {
  const kind = kindOf(constraint);
  if (kind === undefined || constraint.effect === undefined) return undefined;
  const fields = constraint as Readonly<Record<string, unknown>>;
  const texts = (name: string) => (Array.isArray(fields[name]) ? (fields[name] as readonly unknown[]) : []);
  const privileges = texts("privileges").map(String);
  const folders = texts("folders") as Draft["folders"];
  const max = typeof fields.max === "number" ? fields.max : undefined;
  return {
    kind,
    effect: constraint.effect,
    lines: [
      ...(texts("ports") as readonly PortFields[]).map(portLine),
      ...Object.values(LINE_FIELDS).flatMap((name) => texts(name).map(String)),
    ].join("\n"),
    folders: folders.length === 0 ? NEW_DRAFT.folders : folders,
    privileges: privileges.filter((one) => HOST_PRIVILEGES.some((known) => known === one)),
    capabilities: privileges.flatMap((one) => (one.startsWith("capability:") ? [one.slice(11)] : [])).join(" "),
    resource: typeof fields.resource === "string" ? (fields.resource as Resource) : NEW_DRAFT.resource,
    amount: max === undefined ? "" : String(max),
    note: constraint.note ?? "",
    expires: typeof constraint.expiresAt === "string" ? localText(new Date(constraint.expiresAt)) : "",
  };
}

interface PortFields {
  readonly start: number;
  readonly end?: number;
  readonly protocol?: string;
}

function portLine({ start, end = start, protocol }: PortFields): string {
  return `${start === end ? start : `${start}-${end}`}${protocol === undefined ? "" : `/${protocol}`}`;
}

/** An instant as a `datetime-local` input has it. */
function localText(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
