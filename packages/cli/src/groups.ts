import type { Argv } from "yargs";
import type { Api } from "./api.ts";
import { confirmed, YES } from "./confirm.ts";
import { type Context, TEXT } from "./context.ts";
import { groupId, userId, whoAmI } from "./names.ts";

const COLUMNS = ["id", "name"];

function member(y: Argv) {
  return y.positional("group", TEXT).positional("login", TEXT);
}

async function memberPath(directory: Api, args: Readonly<Record<string, unknown>>): Promise<string> {
  const group = await groupId(directory, String(args.group));
  return `/api/groups/${group}/members/${await userId(directory, String(args.login))}`;
}

export function groupCommands(y: Argv, { api, show, terminal }: Context): Argv {
  return y
    .command("list", "List groups; an ordinary user's are those that it is in", {}, async (args) => {
      const directory = await api();
      const me = await whoAmI(directory);
      show(args, await directory.get(me.role === "user" ? `/api/users/${me.id}/groups` : "/api/groups"), COLUMNS);
    })
    .command(
      "add <group>",
      "Create a group",
      (c) => c.positional("group", TEXT),
      async (args) => {
        show(args, await (await api()).send("POST", "/api/groups", { name: args.group }), COLUMNS);
      },
    )
    .command(
      "remove <group>",
      "Remove a group with its constraints; its users stay",
      (c) => c.positional("group", TEXT).option("yes", YES),
      async (args) => {
        const directory = await api();
        const id = await groupId(directory, args.group);
        await confirmed(terminal, args.yes, `Remove the group ${args.group} with its constraints?`);
        await directory.send("DELETE", `/api/groups/${id}`);
      },
    )
    .command(
      "members <group>",
      "List who is in a group",
      (c) => c.positional("group", TEXT),
      async (args) => {
        const directory = await api();
        const members = await directory.get(`/api/groups/${await groupId(directory, args.group)}/members`);
        show(args, members, ["login", "membership"]);
      },
    )
    .command(
      "join <group> <login>",
      "Put a user in a group",
      (c) => member(c).option("manager", { type: "boolean", describe: "As one who adds and removes members" }),
      async (args) => {
        const directory = await api();
        const path = await memberPath(directory, args);
        await directory.send("PUT", args.manager === true ? `${path}?role=manager` : path);
      },
    )
    .command("leave <group> <login>", "Take a user out of a group", member, async (args) => {
      const directory = await api();
      await directory.send("DELETE", await memberPath(directory, args));
    });
}
