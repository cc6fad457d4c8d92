import type { Argv } from "yargs";
import { confirmed } from "./confirm.ts";
import { type Context, TEXT } from "./context.ts";
import { whoAmI } from "./names.ts";
import { SCOPES } from "./tokens.ts";

/** Commands on one's own account, and for accounts of programs. */
export function accountCommands(y: Argv, { api, show, terminal }: Context): Argv {
  return y
    .command("whoami", "Show who you are, and what your token opens", {}, async (args) => {
      const directory = await api();
      const me = await whoAmI(directory);
      const groups = (await directory.get(`/api/users/${me.id}/groups`)) as { name: string }[];
      show(args, { ...me, groups: groups.map(({ name }) => name) }, ["login", "role", "groups", "scopes"]);
    })
    .command(
      "service <login>",
      "Create a service account: a user of a program, without a password, and its token",
      (c) =>
        c
          .positional("login", TEXT)
          .option("email", { type: "string", describe: "Of the people who look after it" })
          .option("role", { choices: ["user", "operator", "admin"] as const, default: "user" })
          .option("scope", {
            choices: SCOPES,
            array: true,
            demandOption: true,
            describe: "What its token opens",
          }),
      async (args) => {
        const directory = await api();
        const user = { login: args.login, email: args.email ?? null, role: args.role, kind: "service" };
        const { id } = (await directory.send("POST", "/api/users", user)) as { id: number };
        const token = { label: "service account", scopes: args.scope, userId: id };
        const made = (await directory.send("POST", "/api/tokens", token)) as { token: string };
        show(args, { id, login: args.login, role: args.role, token: made.token }, ["id", "login", "role", "token"]);
      },
    )
    .command(
      "recover-admin [login]",
      "On the directory's host, as root: make a user an administrator with a new token",
      (c) => c.positional("login", { type: "string", default: "admin" }).option("yes", { type: "boolean", alias: "y" }),
      async (args) => {
        const question = `Make the user ${args.login} an active administrator, and create it if there is none?`;
        await confirmed(terminal, args.yes, question);
        show(args, await terminal.recover(args.login), ["login", "token"]);
      },
    );
}
