import type { Argv } from "yargs";
import type { Api } from "./api.ts";
import type { Context } from "./context.ts";
import { groupId, userId } from "./names.ts";

interface Entry {
  readonly at: string;
  readonly actor: number | null;
  readonly action: string;
  readonly target: string;
  readonly outcome: "done" | "refused" | "failed";
  readonly bypass: boolean;
  readonly before: unknown;
  readonly after: unknown;
}

export function auditCommand(y: Argv, { api, show }: Context): Argv {
  return y.command(
    "audit",
    "List who did what, in the directory and on engines, newest first",
    (c) =>
      c
        .option("user", { type: "string", describe: "What a user did and what was done to it, by login" })
        .option("by", { type: "string", describe: "What a user did, by login" })
        .option("group", { type: "string", describe: "Changes of a group, by name" })
        .option("action", { type: "string", describe: "As in user.create or container.start" })
        .option("outcome", { choices: ["done", "refused", "failed"] as const, describe: "How it ended" })
        .option("bypass", { type: "boolean", describe: "What administrators did on engines, where no rule binds them" })
        .option("since", { type: "string", describe: "From an instant on, as in 2030-01-31T00:00:00Z" })
        .option("until", { type: "string", describe: "Before an instant" })
        .option("limit", { type: "number", default: 50, describe: "How many, at most 200" }),
    async (args) => {
      const directory = await api();
      const query = new URLSearchParams({ limit: String(args.limit) });
      if (args.by !== undefined) query.set("actor", String(await userId(directory, args.by)));
      if (args.user !== undefined) query.set("user", String(await userId(directory, args.user)));
      if (args.group !== undefined) query.set("target", `group/${await groupId(directory, args.group)}`);
      if (args.bypass !== undefined) query.set("bypass", String(args.bypass));
      for (const name of ["action", "outcome", "since", "until"] as const) {
        const value = args[name];
        if (value !== undefined) query.set(name, value);
      }
      const entries = (await directory.get(`/api/audit?${query}`)) as readonly Entry[];
      if (args.json === true) return show(args, entries, []);
      const names = await namesIn(directory, entries);
      const rows = entries.map((entry) => ({
        at: entry.at,
        by: byWhom(entry, names),
        action: entry.action,
        target: nameOf(entry, names),
        outcome: entry.outcome,
        detail: detailOf(entry),
      }));
      show(args, rows, ["at", "by", "action", "target", "outcome", "detail"]);
    },
  );
}

/** The names of all users and groups that entries tell of and that are still there, by `user/12` and `group/3`. */
async function namesIn(directory: Api, entries: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const actors = entries.flatMap(({ actor }) => (actor === null ? [] : [`user/${actor}`]));
  const records = new Set(
    [...actors, ...entries.map(({ target }) => target)].filter((one) => /^(user|group)\/\d+$/.test(one)),
  );
  const names = new Map<string, string>();
  for (const record of records) {
    const [kind, id] = record.split("/");
    const found = await directory.get(`/api/${kind}s/${id}`).catch(() => undefined);
    const { login, name } = (found ?? {}) as { login?: string; name?: string };
    const known = kind === "user" ? login : name;
    if (known !== undefined) names.set(record, known);
  }
  return names;
}

/** The facts that an event carries; a change carries the record instead, before and after. */
function factsOf({ before, after }: Entry): Readonly<Record<string, unknown>> {
  return before === null && typeof after === "object" ? ((after ?? {}) as Record<string, unknown>) : {};
}

function byWhom(entry: Entry, names: ReadonlyMap<string, string>): string {
  const { login, via } = factsOf(entry);
  const socket = via === "administrators-socket" ? " (socket)" : "";
  if (entry.actor !== null) return names.get(`user/${entry.actor}`) ?? `user/${entry.actor}`;
  if (via === "service") return "the engine";
  return typeof login === "string" ? `${login}${socket}` : via === undefined ? "the directory" : "nobody";
}

function nameOf(entry: Entry, names: ReadonlyMap<string, string>): string {
  const [kind = "", id] = entry.target.split("/");
  const { name } = /^(user|group|constraint|token)$/.test(kind) ? {} : factsOf(entry);
  const known = names.get(entry.target) ?? (typeof name === "string" ? name : undefined);
  return known === undefined || id === undefined ? entry.target : `${kind} ${known}`;
}

/** Why it was refused, or the fields that an entry changed. */
function detailOf(entry: Entry): string {
  const { reason, detail, address, count } = factsOf(entry);
  const more = typeof count === "number" && count > 1 ? `${count} times` : undefined;
  const from = typeof address === "string" ? `from ${address}` : undefined;
  const why = [reason, detail].find((text) => typeof text === "string");
  if (why !== undefined || more !== undefined || entry.action.startsWith("signin."))
    return [more, why, from].filter((text) => text !== undefined).join(", ");
  return changed(entry);
}

/** The fields that an entry changed. */
function changed({ before, after }: Entry): string {
  if (before === null || after === null) return "";
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return Object.keys({ ...was, ...is })
    .filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
    .join(", ");
}
