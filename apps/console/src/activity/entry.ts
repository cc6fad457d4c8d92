import type { Schemas } from "../api/client.ts";

export type Entry = Schemas["AuditEntry"];

/** The facts that an event carries; a change carries the record instead, before and after. */
export function factsOf({ before, after }: Entry): Readonly<Record<string, unknown>> {
  return before === null && typeof after === "object" ? ((after ?? {}) as Record<string, unknown>) : {};
}

/** Who did it where no user of the directory did. */
export function strangerOf(entry: Entry): string {
  const { login, via } = factsOf(entry);
  if (via === "service") return "the engine";
  const socket = via === "administrators-socket" ? " (host's socket)" : "";
  return typeof login === "string" ? `${login}${socket}` : via === undefined ? "the directory" : "nobody";
}

/** What it was done to: a kind and a name. */
export function targetOf(entry: Entry): string {
  const [kind = "", id = ""] = entry.target.split("/");
  const { name, host } = factsOf(entry);
  const { login, name: recorded } = (entry.after ?? entry.before ?? {}) as Readonly<Record<string, unknown>>;
  const known = [name, kind === "user" ? login : recorded].find((text) => typeof text === "string");
  const on = typeof host === "string" ? ` on ${host}` : "";
  if (typeof known === "string") return `${kind} ${known}${on}`;
  return `${kind} ${id.slice(0, 12)}`.trim() + on;
}

/** Why it was refused, or the fields that it changed. */
export function detailOf(entry: Entry): string {
  const { reason, detail, address, count } = factsOf(entry);
  const more = typeof count === "number" && count > 1 ? `${count} times` : undefined;
  const from = typeof address === "string" && entry.action.startsWith("signin.") ? `from ${address}` : undefined;
  const why = [reason, detail].find((text) => typeof text === "string");
  const told = [more, why, from].filter((text) => text !== undefined).join(", ");
  return told === "" ? changedFields(entry) : told;
}

function changedFields({ before, after }: Entry): string {
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null) return "";
  const [was, is] = [before as Readonly<Record<string, unknown>>, after as Readonly<Record<string, unknown>>];
  const keys = Object.keys({ ...was, ...is }).filter((key) => !/^(version|updated_at|policy_version)$/.test(key));
  const changed = keys.filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]));
  return changed.length === 0 ? "" : `changed ${changed.join(", ")}`;
}
