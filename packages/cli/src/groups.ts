import type { Argv } from "yargs";
import { type Api, idOf } from "./api.ts";
import { type Context, text } from "./context.ts";

export function groupCommands(y: Argv, { api, show }: Context): Argv {
  const columns = ["id", "name"];
  const member = (c: Argv) => c.positional("group", text).positional("login", text);
  const pathOf = async (directory: Api, args: { group: string; login: string }) =>
    `/api/groups/${await idOf(directory, "groups", args.group)}/members/${await idOf(directory, "users", args.login)}`;
  return y
    .command("list", "List groups", {}, async (args) => show(args, await (await api()).get("/api/groups"), columns))
    .command(
      "add <group>",
      "Make a group",
      (c) => c.positional("group", text),
      async (args) => {
        show(args, await (await api()).send("POST", "/api/groups", { name: args.group }), columns);
      },
    )
    .command(
      "remove <group>",
      "Remove a group; its users stay",
      (c) => c.positional("group", text),
      async (args) => {
        const directory = await api();
        await directory.send("DELETE", `/api/groups/${await idOf(directory, "groups", args.group)}`);
      },
    )
    .command(
      "members <group>",
      "List who is in a group",
      (c) => c.positional("group", text),
      async (args) => {
        const directory = await api();
        const members = await directory.get(`/api/groups/${await idOf(directory, "groups", args.group)}/members`);
        show(args, members, ["id", "login", "membership"]);
      },
    )
    .command(
      "join <group> <login>",
      "Put a user in a group",
      (c) => member(c).option("manager", { type: "boolean" }),
      async (args) => {
        const directory = await api();
        const path = await pathOf(directory, args as unknown as { group: string; login: string });
        await directory.send("PUT", args.manager === true ? `${path}?role=manager` : path);
      },
    )
    .command("leave <group> <login>", "Take a user out of a group", member, async (args) => {
      const directory = await api();
      await directory.send("DELETE", await pathOf(directory, args as unknown as { group: string; login: string }));
    });
}
