import type { Argv } from "yargs";
import type { Api } from "./api.ts";
import type { Context } from "./context.ts";
import { groupId, userId } from "./names.ts";

interface Entry {
  readonly at: string;
  readonly actor: number | null;
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function auditCommand(y: Argv, { api, show }: Context): Argv {
  return y.command(
    "audit",
    "List who changed what, newest first",
    (c) =>
      c
        .option("by", { type: "string", describe: "Who made the changes, by login" })
        .option("user", { type: "string", describe: "Changes of a user, by login" })
        .option("group", { type: "string", describe: "Changes of a group, by name" })
        .option("action", { type: "string", describe: "As in user.create" })
        .option("since", { type: "string", describe: "From an instant on, as in 2030-01-31T00:00:00Z" })
        .option("until", { type: "string", describe: "Before an instant" })
        .option("limit", { type: "number", default: 50, describe: "How many, at most 200" })
        .conflicts("user", "group"),
    async (args) => {
      const directory = await api();
      const query = new URLSearchParams({ limit: String(args.limit) });
      if (args.by !== undefined) query.set("actor", String(await userId(directory, args.by)));
      if (args.user !== undefined) query.set("target", `user/${await userId(directory, args.user)}`);
      if (args.group !== undefined) query.set("target", `group/${await groupId(directory, args.group)}`);
      for (const name of ["action", "since", "until"] as const) {
        const value = args[name];
        if (value !== undefined) query.set(name, value);
      }
      const entries = (await directory.get(`/api/audit?${query}`)) as readonly Entry[];
      if (args.json === true) return show(args, entries, []);
      const names = await namesIn(directory, entries);
      const rows = entries.map((entry) => ({
        at: entry.at,
        by: entry.actor === null ? "the directory" : (names.get(`user/${entry.actor}`) ?? `user/${entry.actor}`),
        action: entry.action,
        target: nameOf(entry.target, names),
        changed: changed(entry),
      }));
      show(args, rows, ["at", "by", "action", "target", "changed"]);
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

function nameOf(target: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(target);
  return name === undefined ? target : `${target.split("/")[0]} ${name}`;
}

/** The fields that an entry changed. */
function changed({ before, after }: Entry): string {
  if (before === null || after === null) return "";
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return Object.keys({ ...was, ...is })
    .filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
    .join(", ");
}
