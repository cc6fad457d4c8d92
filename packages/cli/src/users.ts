import type { Argv } from "yargs";
import { idOf } from "./api.ts";
import { type Context, text } from "./context.ts";

const USER_COLUMNS = ["id", "login", "email", "name", "role", "active"];

export function userCommands(y: Argv, { api, show, terminal }: Context): Argv {
  const fields = (of: Argv) =>
    of
      .option("email", { type: "string" })
      .option("name", { type: "string" })
      .option("role", { choices: ["user", "operator", "admin"] as const })
      .option("active", { type: "boolean" })
      .option("pass-stdin", { type: "boolean", describe: "Read the password from standard input" });
  const bodyOf = async (args: Record<string, unknown>) => {
    const given = Object.entries(args).filter(
      ([key, value]) => ["email", "name", "role", "active"].includes(key) && value !== undefined,
    );
    const pass = args["pass-stdin"] === true ? { pass: (await terminal.readStdin()).replace(/\r?\n$/, "") } : {};
    return { ...Object.fromEntries(given), ...pass };
  };
  return y
    .command(
      "list",
      "List users",
      (c) => c.option("q", { type: "string", describe: "Start of login or e-mail" }),
      async (args) => {
        const query = args.q === undefined ? "" : `?q=${encodeURIComponent(args.q)}`;
        show(args, await (await api()).get(`/api/users${query}`), USER_COLUMNS);
      },
    )
    .command(
      "show <login>",
      "Show a user",
      (c) => c.positional("login", text),
      async (args) => {
        const directory = await api();
        show(args, await directory.get(`/api/users/${await idOf(directory, "users", args.login)}`), USER_COLUMNS);
      },
    )
    .command(
      "add <login>",
      "Make a user",
      (c) => fields(c.positional("login", text)).demandOption("email"),
      async (args) => {
        show(
          args,
          await (await api()).send("POST", "/api/users", { login: args.login, ...(await bodyOf(args)) }),
          USER_COLUMNS,
        );
      },
    )
    .command(
      "set <login>",
      "Change some of a user's fields",
      (c) => fields(c.positional("login", text)),
      async (args) => {
        const directory = await api();
        const id = await idOf(directory, "users", String(args.login));
        show(args, await directory.send("PATCH", `/api/users/${id}`, await bodyOf(args)), USER_COLUMNS);
      },
    )
    .command(
      "remove <login>",
      "Remove a user",
      (c) => c.positional("login", text),
      async (args) => {
        const directory = await api();
        await directory.send("DELETE", `/api/users/${await idOf(directory, "users", args.login)}`);
      },
    );
}
