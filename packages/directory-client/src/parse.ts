import {
  type Baseline,
  type ConstraintId,
  type EffectiveConstraints,
  type Group,
  type GroupId,
  type OwnedConstraint,
  type Owner,
  parseConstraint,
  RESOURCES,
  ROLES,
  type Rule,
  type Subject,
  type UnreadableConstraint,
  type UserId,
} from "@berth/directory-domain";
import { DirectoryUnavailable } from "./request.ts";

/** The owner of a token, and what the token opens. */
export interface Caller extends Subject {
  readonly scopes: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** An answer of an unexpected form, as from another version of the directory. */
export class Unreadable extends Error {}

/**
 * Reads an answer with effective constraints. A constraint that this version cannot read is kept as unreadable, so that the users it
 * restricts are refused; any other fault makes the whole answer unreadable.
 */
export function parseEffective(answer: unknown): {
  readonly effective: EffectiveConstraints;
  readonly version: string;
} {
  const fields = record(answer);
  const constraints: OwnedConstraint[] = [];
  const unreadable: UnreadableConstraint[] = [];
  for (const one of [...list(fields.constraints), ...list(fields.unreadable)].map(record)) {
    const id = number(one.id) as ConstraintId;
    const owner = parseOwner(one.owner);
    const parsed = parseConstraint(one);
    if (parsed.ok) constraints.push({ ...parsed.value, id, owner, expiresAt: textOrNull(one.expiresAt) });
    else unreadable.push({ id, owner, kind: text(one.kind) });
  }
  const subject = parseSubject(record(fields.subject));
  const groups = list(fields.groups).map(parseGroup);
  const effective = { subject, baseline: parseBaseline(record(fields.baseline)), constraints, unreadable, groups };
  return { effective, version: text(fields.version) };
}

export function parseSubject(fields: Fields): Subject {
  const role = ROLES.find((one) => one === fields.role);
  if (role === undefined || typeof fields.active !== "boolean") throw new Unreadable("a user without role or state");
  return { id: number(fields.id) as UserId, login: text(fields.login), role, active: fields.active };
}

/** Reads the answer of `/api/me`. */
export function parseCaller(answer: unknown): Caller {
  const fields = record(answer);
  return { ...parseSubject(fields), scopes: list(fields.scopes).map(text) };
}

function parseGroup(value: unknown): Group {
  const { id, name } = record(value);
  return { id: number(id) as GroupId, name: text(name) };
}

function parseOwner(value: unknown): Owner {
  const { type, id, name } = record(value);
  if (type === "user") return { type, id: number(id) as UserId };
  if (type === "group") return { type, id: number(id) as GroupId, ...(name === undefined ? {} : { name: text(name) }) };
  throw new Unreadable("a constraint without an owner");
}

/** A baseline is a grant of each kind, and is parsed as one, so that the same rules apply to it. */
function parseBaseline(fields: Fields): Baseline {
  const quotas = record(fields.quotas);
  return {
    hostPorts: rule({ kind: "host-ports", ports: fields.hostPorts }, "host-ports").ports,
    hostInterfaces: rule({ kind: "host-interfaces", addresses: fields.hostInterfaces }, "host-interfaces").addresses,
    images: rule({ kind: "images", patterns: fields.images }, "images").patterns,
    mounts: rule({ kind: "mounts", folders: fields.mounts }, "mounts").folders,
    privileges: rule({ kind: "privileges", privileges: fields.privileges }, "privileges").privileges,
    networks: rule({ kind: "networks", names: fields.networks }, "networks").names,
    subnets: rule({ kind: "subnets", subnets: fields.subnets }, "subnets").subnets,
    quotas: Object.fromEntries(
      RESOURCES.filter((one) => quotas[one] !== undefined).map((one) => [one, number(quotas[one])]),
    ),
  };
}

function rule<K extends Rule["kind"]>(input: Fields, kind: K): Rule & { readonly kind: K } {
  const parsed = parseConstraint({ effect: "grant", ...input });
  if (!parsed.ok || !isOfKind(parsed.value, kind)) throw new Unreadable(`a baseline of ${kind}`);
  return parsed.value;
}

function isOfKind<K extends Rule["kind"]>(value: Rule, kind: K): value is Rule & { readonly kind: K } {
  return value.kind === kind;
}

export function record(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unreadable("no object");
  return value as Fields;
}

export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable("no array");
  return value;
}

export function number(value: unknown): number {
  if (typeof value !== "number") throw new Unreadable("no number");
  return value;
}

export function text(value: unknown): string {
  if (typeof value !== "string") throw new Unreadable("no text");
  return value;
}

/** Treats an unreadable answer as no answer. */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new DirectoryUnavailable("its answer can't be read", { cause });
  }
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : text(value);
}
