import type { Argv } from "yargs";
import type { Api } from "./api.ts";
import { confirmed, YES } from "./confirm.ts";
import { type Context, TEXT } from "./context.ts";
import { groupId, userId, whoAmI } from "./names.ts";
import { fieldsOf, newFields, withFields } from "./own-fields.ts";

const COLUMNS = ["id", "name", "fields"];

function member(y: Argv) {
  return y.positional("group", TEXT).positional("login", TEXT);
}

function subgroup(y: Argv) {
  return y.positional("group", TEXT).positional("subgroup", TEXT);
}

async function subgroupPath(directory: Api, args: Readonly<Record<string, unknown>>): Promise<string> {
  const group = await groupId(directory, String(args.group));
  return `/api/groups/${group}/subgroups/${await groupId(directory, String(args.subgroup))}`;
}

async function memberPath(directory: Api, args: Readonly<Record<string, unknown>>): Promise<string> {
  const group = await groupId(directory, String(args.group));
  return `/api/groups/${group}/members/${await userId(directory, String(args.login))}`;
}

export function groupCommands(y: Argv, context: Context): Argv {
  return membershipCommands(lifecycleCommands(y, context), context);
}

function lifecycleCommands(y: Argv, { api, show, terminal }: Context): Argv {
  return y
    .command("list", "List groups; an ordinary user's are those that it is in", {}, async (args) => {
      const directory = await api();
      const me = await whoAmI(directory);
      show(args, await directory.get(me.role === "user" ? `/api/users/${me.id}/groups` : "/api/groups"), COLUMNS);
    })
    .command(
      "add <group>",
      "Create a group",
      (c) => withFields(c.positional("group", TEXT)),
      async (args) => {
        const body = { name: args.group, ...newFields(args.field) };
        show(args, await (await api()).send("POST", "/api/groups", body), COLUMNS);
      },
    )
    .command(
      "set <group>",
      "Change a group's name or fields",
      (c) => withFields(c.positional("group", TEXT)).option("name", { type: "string", describe: "Its new name" }),
      async (args) => {
        const directory = await api();
        const own = fieldsOf(args.field);
        const body = {
          ...(typeof args.name === "string" ? { name: args.name } : {}),
          ...(own === undefined ? {} : { fields: own }),
        };
        const path = `/api/groups/${await groupId(directory, String(args.group))}`;
        show(args, await directory.send("PATCH", path, body), COLUMNS);
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
    );
}

function membershipCommands(y: Argv, { api, show, terminal }: Context): Argv {
  return y
    .command(
      "members <group>",
      "List who is in a group",
      (c) => c.positional("group", TEXT),
      async (args) => {
        const directory = await api();
        const path = `/api/groups/${await groupId(directory, args.group)}`;
        const members = (await directory.get(`${path}/members`)) as readonly object[];
        const subgroups = (await directory.get(`${path}/subgroups`)) as readonly { readonly name: string }[];
        if (args.json === true) return show(args, { members, subgroups }, []);
        const groups = subgroups.map(({ name }) => ({ member: `group ${name}`, membership: "subgroup" }));
        const users = members.map((one) => ({ ...one, member: (one as { login: string }).login }));
        show(args, [...users, ...groups], ["member", "membership"]);
      },
    )
    .command(
      "invitations <group>",
      "List who is invited to a group and has not accepted yet",
      (c) => c.positional("group", TEXT),
      async (args) => {
        const directory = await api();
        const path = `/api/groups/${await groupId(directory, args.group)}/invitations`;
        show(args, await directory.get(path), ["login", "invitedAt"]);
      },
    )
    .command(
      "nest <group> <subgroup>",
      "Make a group part of another, whose constraints then bind its members too",
      subgroup,
      async (args) => {
        const directory = await api();
        await directory.send("PUT", await subgroupPath(directory, args));
      },
    )
    .command(
      "unnest <group> <subgroup>",
      "Take a group out of another",
      (c) => subgroup(c).option("yes", YES),
      async (args) => {
        const directory = await api();
        const path = await subgroupPath(directory, args);
        const question = `Take the group ${args.subgroup} out of ${args.group}, whose constraints then bind its members no more?`;
        await confirmed(terminal, args.yes, question);
        await directory.send("DELETE", path);
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
    .command(
      "leave <group> <login>",
      "Take a user out of a group",
      (c) => member(c).option("yes", YES),
      async (args) => {
        const directory = await api();
        const path = await memberPath(directory, args);
        const question = `Take ${args.login} out of the group ${args.group}, whose constraints then hold for ${args.login} no more?`;
        await confirmed(terminal, args.yes, question);
        await directory.send("DELETE", path);
      },
    );
}
