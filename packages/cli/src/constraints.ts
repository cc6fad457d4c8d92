import type { Argv } from "yargs";
import { type Api, idOf, Refused } from "./api.ts";
import { type Context, text } from "./context.ts";

export function constraintCommands(y: Argv, { api, show, terminal }: Context): Argv {
  const columns = [
    "id",
    "effect",
    "kind",
    "ports",
    "addresses",
    "patterns",
    "folders",
    "privileges",
    "resource",
    "max",
    "expiresAt",
  ];
  const owner = (c: Argv) =>
    c.option("user", { type: "string" }).option("group", { type: "string" }).conflicts("user", "group");
  const pathOf = async (directory: Api, args: Record<string, unknown>) => {
    if (typeof args.user === "string") return `/api/users/${await idOf(directory, "users", args.user)}/constraints`;
    if (typeof args.group === "string") return `/api/groups/${await idOf(directory, "groups", args.group)}/constraints`;
    throw new Refused("Say whose with --user or --group.");
  };
  const read = (json: string) => {
    try {
      return JSON.parse(json) as object;
    } catch {
      throw new Refused(`Not JSON: ${json}`);
    }
  };
  return y
    .command("list", "List the constraints of a user or group", owner, async (args) => {
      const directory = await api();
      const found = (await directory.get(await pathOf(directory, args))) as Record<string, unknown>[];
      show(
        args,
        found,
        columns.filter((column) => found.some((one) => one[column] != null) || column === "id"),
      );
    })
    .command(
      "add <constraint>",
      "Give a constraint, written as JSON, to a user or group",
      (c) => owner(c.positional("constraint", text)),
      async (args) => {
        const directory = await api();
        const made = await directory.send("POST", await pathOf(directory, args), read(String(args.constraint)));
        show(args, made, ["id", "effect", "kind"]);
      },
    )
    .command(
      "remove <id>",
      "Remove a constraint",
      (c) => c.positional("id", { type: "number", demandOption: true }),
      async (args) => {
        await (await api()).send("DELETE", `/api/constraints/${args.id}`);
      },
    )
    .command(
      "explain <login> <request>",
      "Tell what would be decided on a request, written as JSON, and why",
      (c) => c.positional("login", text).positional("request", text),
      async (args) => {
        const directory = await api();
        const userId = await idOf(directory, "users", args.login);
        const decision = (await directory.send("POST", "/api/decisions", { userId, request: read(args.request) })) as {
          decision: string;
          message: string;
          checks: object[];
        };
        if (args.json === true) return show(args, decision, []);
        terminal.write(`${decision.decision}${decision.message === "" ? "" : `: ${decision.message}`}\n`);
        show(args, decision.checks, ["kind", "item", "outcome", "passing"]);
      },
    );
}
