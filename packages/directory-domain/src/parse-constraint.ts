import { err, ok, PROTOCOLS, type Protocol, type Result } from "@berth/port-spec";
import { parseAddressBlock } from "./address.ts";
import {
  type Constraint,
  EFFECTS,
  type Effect,
  HOST_PRIVILEGES,
  type HostFolder,
  type HostPortRange,
  type HostPrivilege,
  KINDS,
  type Privilege,
  RESOURCES,
  type Resource,
  type Rule,
  SHARED_RESOURCES,
} from "./constraint.ts";
import { normalisePath } from "./host-path.ts";
import { fullImagePattern, MAX_PATTERN_LENGTH, MAX_STARS } from "./image-pattern.ts";
import { isWellFormed } from "./user.ts";

/** The place of a fault (RFC 6901 pointer), and what would be right. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** The maximum number of values in a constraint, which keeps decisions cheap. */
export const MAX_VALUES = 1_000;

/** Thrown and caught only in this file, which keeps the parsers below short. */
class Misread extends Error {
  readonly fault: Fault;
  constructor(pointer: string, detail: string) {
    super(detail);
    this.fault = { pointer, detail };
  }
}

/**
 * Parses a constraint from any source (a request, a row, another service's answer) and normalises its values. The result has only
 * `effect`, `kind` and the value fields of the kind.
 */
export function parseConstraint(input: unknown): Result<Constraint, Fault> {
  try {
    if (!isRecord(input)) throw new Misread("", "must be an object");
    const effect = oneOf(EFFECTS, input.effect, "/effect");
    const rule = parseRule(input, oneOf(KINDS, input.kind, "/kind"));
    if (rule.kind === "quota" && effect === "deny")
      throw new Misread("/effect", "must be limit or grant for a quota: use limit with max 0 to allow none");
    if (rule.kind === "shared-quota" && effect !== "limit")
      throw new Misread("/effect", "must be limit for a shared quota");
    return ok({ effect: effect satisfies Effect, ...rule });
  } catch (cause) {
    if (cause instanceof Misread) return err(cause.fault);
    throw cause;
  }
}

function parseRule(input: Readonly<Record<string, unknown>>, kind: Rule["kind"]): Rule {
  switch (kind) {
    case "host-ports":
      return { kind, ports: listOf(input.ports, "/ports", parsePorts) };
    case "host-interfaces":
      return { kind, addresses: listOf(input.addresses, "/addresses", parseBlock) };
    case "images":
      return { kind, patterns: listOf(input.patterns, "/patterns", parsePattern) };
    case "mounts":
      return { kind, folders: listOf(input.folders, "/folders", parseFolder) };
    case "privileges":
      return { kind, privileges: listOf(input.privileges, "/privileges", parsePrivilege) };
    case "networks":
      return { kind, names: listOf(input.names, "/names", parseNetwork) };
    case "subnets":
      return { kind, subnets: listOf(input.subnets, "/subnets", parseBlock) };
    case "quota":
      return { kind, ...parseQuota(input, RESOURCES) };
    case "shared-quota":
      return { kind, ...parseQuota(input, SHARED_RESOURCES) };
  }
}

function parsePorts(value: unknown, pointer: string): HostPortRange {
  if (!isRecord(value)) throw new Misread(pointer, "must be an object with start and end");
  const start = port(value.start, `${pointer}/start`);
  const end = value.end === undefined ? start : port(value.end, `${pointer}/end`);
  if (end < start) throw new Misread(`${pointer}/end`, `must not be below start (${start})`);
  if (value.protocol === undefined) return { start, end };
  const protocol: Protocol = oneOf(PROTOCOLS, value.protocol, `${pointer}/protocol`);
  return { start, end, protocol };
}

function port(value: unknown, pointer: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > 65_535)
    throw new Misread(pointer, "must be a whole number from 1 to 65535");
  return value;
}

function parseBlock(value: unknown, pointer: string): string {
  const text = string(value, pointer);
  if (text.length > 64 || parseAddressBlock(text) === undefined)
    throw new Misread(pointer, "must be an IP address, a CIDR block or *, without leading zeros or a zone");
  return text.toLowerCase();
}

function parsePattern(value: unknown, pointer: string): string {
  const text = string(value, pointer);
  if (text.length === 0 || text.length > MAX_PATTERN_LENGTH || !/^[\x21-\x7e]+$/.test(text))
    throw new Misread(pointer, `must have 1 to ${MAX_PATTERN_LENGTH} printable ASCII characters`);
  if (text.split("*").length - 1 > MAX_STARS) throw new Misread(pointer, `must have at most ${MAX_STARS} *`);
  return fullImagePattern(text);
}

function parseFolder(value: unknown, pointer: string): HostFolder {
  if (!isRecord(value)) throw new Misread(pointer, "must be an object with path and readOnly");
  const given = string(value.path, `${pointer}/path`);
  const path = given.length > 4_096 || !isWellFormed(given) ? undefined : normalisePath(given);
  if (path === undefined) throw new Misread(`${pointer}/path`, "must be an absolute path without NUL");
  const readOnly = value.readOnly ?? false;
  if (typeof readOnly !== "boolean") throw new Misread(`${pointer}/readOnly`, "must be true or false");
  return { path, readOnly };
}

/** Capabilities may be in any case, with or without `CAP_`, as Docker accepts them. */
function parsePrivilege(value: unknown, pointer: string): Privilege {
  const text = string(value, pointer);
  const capability = /^capability:(?:cap_)?([a-z][a-z_]{0,40})$/i.exec(text)?.[1];
  if (capability !== undefined) return `capability:${capability.toUpperCase()}`;
  const named: HostPrivilege | undefined = HOST_PRIVILEGES.find((one) => one === text);
  if (named === undefined)
    throw new Misread(pointer, `must be capability:NAME or one of ${HOST_PRIVILEGES.join(", ")}`);
  return named;
}

function parseNetwork(value: unknown, pointer: string): string {
  const text = string(value, pointer);
  if (text.length > 256 || !/^([0-9*]+\/)?[\w.*-]+$/.test(text) || text.split("*").length - 1 > MAX_STARS)
    throw new Misread(pointer, "must be NAME or OWNER/NAME, where * stands for any characters");
  return text;
}

function parseQuota<R extends Resource>(
  input: Readonly<Record<string, unknown>>,
  resources: readonly R[],
): { readonly resource: R; readonly max: number } {
  const resource = oneOf(resources, input.resource, "/resource");
  const max = input.max;
  if (typeof max !== "number" || !Number.isFinite(max) || max < 0 || max > Number.MAX_SAFE_INTEGER)
    throw new Misread("/max", "must be a number from 0 to 2^53-1");
  if (resource !== "cpu" && !Number.isInteger(max)) throw new Misread("/max", "must be a whole number");
  return { resource, max };
}

function listOf<T>(value: unknown, pointer: string, parse: (value: unknown, pointer: string) => T): readonly T[] {
  if (!Array.isArray(value)) throw new Misread(pointer, "must be an array");
  if (value.length > MAX_VALUES) throw new Misread(pointer, `must have at most ${MAX_VALUES} entries`);
  return value.map((one: unknown, index) => parse(one, `${pointer}/${index}`));
}

function oneOf<T extends string>(words: readonly T[], value: unknown, pointer: string): T {
  const word = words.find((one) => one === value);
  if (word === undefined) throw new Misread(pointer, `must be one of ${words.join(", ")}`);
  return word;
}

function string(value: unknown, pointer: string): string {
  if (typeof value !== "string") throw new Misread(pointer, "must be a string");
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
