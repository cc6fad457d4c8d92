import { USER_KINDS } from "@berth/directory-domain";
import type { Argv } from "yargs";
import { Refused } from "./api.ts";
import { confirmed, YES } from "./confirm.ts";
import { type Context, TEXT } from "./context.ts";
import { userOf, whoAmI } from "./names.ts";
import { fieldsOf, newFields, withFields } from "./own-fields.ts";

const COLUMNS = ["id", "login", "email", "name", "kind", "role", "active", "fields"];
const FIELDS = ["email", "name", "role", "active"];

function fields(y: Argv): Argv {
  return withFields(y)
    .option("email", { type: "string" })
    .option("name", { type: "string" })
    .option("role", { choices: ["user", "operator", "admin"] as const })
    .option("active", { type: "boolean", describe: "--no-active disables the user and ends its tokens" })
    .option("pass-stdin", { type: "boolean", describe: "Read the password from standard input" });
}

function user(y: Argv): Argv {
  return y
    .positional("login", { type: "string", describe: "The user's login; digits are a login too" })
    .option("id", { type: "number", describe: "The user's id, instead of its login" })
    .conflicts("login", "id");
}

export function userCommands(y: Argv, { api, show, terminal }: Context): Argv {
  async function bodyOf(args: Readonly<Record<string, unknown>>): Promise<object> {
    const given = Object.entries(args).filter(([key, value]) => FIELDS.includes(key) && value !== undefined);
    const pass = args["pass-stdin"] === true ? { pass: (await terminal.readStdin()).replace(/\r?\n$/, "") } : {};
    return { ...Object.fromEntries(given), ...pass };
  }

  return y
    .command(
      "list",
      "List users",
      (c) =>
        c
          .option("q", { type: "string", describe: "Start of login or e-mail" })
          .option("kind", { choices: USER_KINDS, describe: "People or service accounts alone" }),
      async (args) => {
        const query = new URLSearchParams();
        if (args.q !== undefined) query.set("q", args.q);
        if (args.kind !== undefined) query.set("kind", args.kind);
        show(args, await (await api()).get(`/api/users?${query}`), COLUMNS);
      },
    )
    .command("show [login]", "Show a user", user, async (args) => {
      const directory = await api();
      show(args, await directory.get(`/api/users/${await userOf(directory, args)}`), COLUMNS);
    })
    .command(
      "add <login>",
      "Create a user",
      (c) => fields(c.positional("login", TEXT)),
      async (args) => {
        const body = { login: args.login, ...(await bodyOf(args)), ...newFields(args.field) };
        show(args, await (await api()).send("POST", "/api/users", body), COLUMNS);
      },
    )
    .command(
      "set [login]",
      "Change some of a user's fields",
      (c) => fields(user(c)),
      async (args) => {
        const directory = await api();
        const id = await userOf(directory, args);
        const me = await whoAmI(directory);
        if (me.id === id && (args.active === false || (args.role !== undefined && args.role !== me.role)))
          throw new Refused(`You are ${me.login}: another administrator must change your own role or state.`);
        const own = fieldsOf(args.field);
        const body = { ...(await bodyOf(args)), ...(own === undefined ? {} : { fields: own }) };
        show(args, await directory.send("PATCH", `/api/users/${id}`, body), COLUMNS);
      },
    )
    .command(
      "remove [login]",
      "Remove a user with its memberships, constraints and tokens",
      (c) => user(c).option("yes", YES),
      async (args) => {
        const directory = await api();
        const id = await userOf(directory, args);
        const me = await whoAmI(directory);
        if (me.id === id) throw new Refused(`You are ${me.login}: another administrator must remove you.`);
        const { login } = (await directory.get(`/api/users/${id}`)) as { login: string };
        await confirmed(terminal, args.yes, `Remove the user ${login} with its memberships, constraints and tokens?`);
        await directory.send("DELETE", `/api/users/${id}`);
      },
    )
    .command(
      "reset-second-factor [login]",
      "Remove a user's second factor, for somebody who has lost it",
      (c) => user(c).option("yes", YES),
      async (args) => {
        const directory = await api();
        const id = await userOf(directory, args);
        const { login } = (await directory.get(`/api/users/${id}`)) as { login: string };
        const question = `Remove the second factor of ${login}? Until another one is set up, the password alone signs in.`;
        await confirmed(terminal, args.yes, question);
        await directory.send("DELETE", `/api/users/${id}/second-factor`);
      },
    )
    .command("link [login]", "Print a one-time link by which a user sets its password", user, async (args) => {
      const directory = await api();
      const id = await userOf(directory, args);
      const made = (await directory.send("POST", `/api/users/${id}/pass-links`)) as { path: string; expiresAt: string };
      if (args.json === true) return show(args, made, []);
      terminal.write(`${new URL(made.path, directory.url)}\n`);
      terminal.complain(`Works once, until ${made.expiresAt}.\n`);
    });
}
