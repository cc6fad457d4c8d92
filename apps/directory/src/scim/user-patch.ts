import { fold } from "@berth/directory-domain";
import { parseBody } from "../http/validate.ts";
import { respelled, type ScimOperation, type ScimUser, scimUserSchema } from "./body.ts";
import { ScimError } from "./error.ts";
import { itemOf, meets } from "./item-filter.ts";
import { entriesOf, type PatchPath, parsePatchPath, singleValue } from "./patch-path.ts";

interface Email {
  value?: unknown;
  type?: unknown;
  primary?: unknown;
}

/** A user while operations change it; its values are checked once all of them have. */
interface Draft {
  readonly single: Record<string, unknown>;
  readonly name: Record<string, unknown>;
  emails: Email[];
}

/** The attributes with one value, by their key. */
const SINGLE: Readonly<Record<string, keyof ScimUser>> = {
  username: "userName",
  displayname: "displayName",
  active: "active",
  externalid: "externalId",
  password: "password",
};
const REQUIRED = new Set(["username", "active", "password"]);
const NAME_PARTS: Readonly<Record<string, string>> = {
  formatted: "formatted",
  givenname: "givenName",
  familyname: "familyName",
};

/**
 * A user after the operations of a PATCH (RFC 7644, 3.5.2). Attributes that the directory does not keep, and those it sets
 * itself, change nothing: refusing them would refuse the rest with them.
 * @throws ScimError with `noTarget`, `invalidPath`, `mutability` or `invalidValue`; DirectoryError for a value that is not valid.
 */
export function patchUser(user: ScimUser, operations: readonly ScimOperation[]): ScimUser {
  const { name, emails, ...single } = user;
  const draft: Draft = { single: { ...single }, name: { ...name }, emails: (emails ?? []).map((one) => ({ ...one })) };
  for (const { op, path, value } of operations)
    if (path == null) for (const [key, one] of entriesOf(op, value)) apply(draft, op, key, one);
    else apply(draft, op, path, value);
  return parseBody(scimUserSchema, { ...draft.single, name: draft.name, emails: draft.emails });
}

function apply(draft: Draft, op: ScimOperation["op"], pathText: string, value: unknown): void {
  const path = parsePatchPath(pathText);
  if (path.attribute === "emails") changeEmails(draft, op, path, value);
  else if (path.attribute === "name") changeName(draft, path, op === "remove" || isUnset(value) ? undefined : value);
  else if (path.sub === undefined) changeSingle(draft, op, path.attribute, value);
}

function changeSingle({ single }: Draft, op: ScimOperation["op"], attribute: string, value: unknown): void {
  const field = Object.hasOwn(SINGLE, attribute) ? SINGLE[attribute] : undefined;
  if (field === undefined) return;
  if (op === "remove" && REQUIRED.has(attribute))
    throw new ScimError("mutability", `A user always has ${field}; replace it instead of removing it.`);
  single[field] = op === "remove" ? null : singleValue(value);
}

/** Parts that are not named stay as they are (RFC 7644, 3.5.2.3). */
function changeName({ name }: Draft, { sub }: PatchPath, value: unknown): void {
  if (sub !== undefined) {
    const part = Object.hasOwn(NAME_PARTS, sub) ? NAME_PARTS[sub] : undefined;
    if (part !== undefined) name[part] = singleValue(value) ?? null;
    return;
  }
  if (value === undefined) {
    for (const part of Object.values(NAME_PARTS)) name[part] = null;
    return;
  }
  const parts = singleValue(value);
  if (typeof parts !== "object" || parts === null)
    throw new ScimError("invalidValue", "The value of name must be an object with its parts.");
  Object.assign(name, respelled(parts));
}

function changeEmails(draft: Draft, op: ScimOperation["op"], path: PatchPath, value: unknown): void {
  if (path.filter !== undefined || path.sub !== undefined) changeSomeEmails(draft, op, path, value);
  else if (op === "remove") draft.emails = isUnset(value) ? [] : withoutEmails(draft.emails, emailsIn(value));
  else {
    const added = isUnset(value) ? [] : emailsIn(value);
    const kept = op === "add" ? draft.emails : [];
    // The address that is marked as primary last is the only one.
    if (added.some(isPrimary)) for (const one of kept) one.primary = false;
    draft.emails = [...kept, ...added];
  }
}

function withoutEmails(emails: readonly Email[], removed: readonly Email[]): Email[] {
  const values = removed.map((one) => fold(String(one.value)));
  return emails.filter((one) => !values.includes(fold(String(one.value))));
}

/** Changes the addresses that a filter chooses; without a filter, a part of the primary address. */
function changeSomeEmails(draft: Draft, op: ScimOperation["op"], { filter, sub }: PatchPath, value: unknown): void {
  const { emails } = draft;
  const matched = filter === undefined ? emails.slice(0, 1) : emails.filter((one) => meets({ ...one }, filter));
  if (op === "remove" || (isUnset(value) && (sub ?? "value") === "value")) {
    if (sub === undefined || sub === "value") draft.emails = emails.filter((one) => !matched.includes(one));
    else for (const one of matched) Object.assign(one, { [sub]: null });
    return;
  }
  if (matched.length === 0) {
    const made: Email | undefined = filter === undefined ? {} : itemOf(filter);
    if (made === undefined) throw new ScimError("noTarget", "No e-mail address meets the filter of the path.");
    matched.push(made);
    emails.push(made);
  }
  const change: Email = sub === undefined ? emailOf(singleValue(value)) : { [sub]: singleValue(value) };
  for (const one of matched) Object.assign(one, change);
  if (isPrimary(change)) for (const one of emails) if (one !== matched[0]) one.primary = false;
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function emailsIn(value: unknown): Email[] {
  return [value].flat().map(emailOf);
}

function emailOf(value: unknown): Email {
  if (typeof value === "string") return { value };
  if (typeof value === "object" && value !== null) return { ...value };
  throw new ScimError("invalidValue", "An e-mail address must be a text or an object with its value.");
}

function isPrimary(email: Email): boolean {
  return String(email.primary).toLowerCase() === "true";
}
