import type { Argv } from "yargs";
import { idOf } from "./api.ts";
import { type Context, text } from "./context.ts";

export function tokenCommands(y: Argv, { api, show }: Context): Argv {
  return y
    .command("list", "List your tokens", {}, async (args) =>
      show(args, await (await api()).get("/api/tokens"), ["id", "label", "scopes", "expiresAt", "lastUsedAt"]),
    )
    .command(
      "add <label>",
      "Make a token; it is shown this once",
      (c) =>
        c
          .positional("label", text)
          .option("scope", { choices: ["read", "write", "engine"] as const, array: true, demandOption: true })
          .option("user", { type: "string" })
          .option("expires", { type: "string" }),
      async (args) => {
        const directory = await api();
        const userId = args.user === undefined ? {} : { userId: await idOf(directory, "users", args.user) };
        const body = {
          label: args.label,
          scopes: args.scope,
          ...userId,
          ...(args.expires === undefined ? {} : { expiresAt: args.expires }),
        };
        show(args, await directory.send("POST", "/api/tokens", body), ["id", "label", "token"]);
      },
    )
    .command(
      "revoke <id>",
      "Revoke a token",
      (c) => c.positional("id", { type: "number", demandOption: true }),
      async (args) => {
        await (await api()).send("DELETE", `/api/tokens/${args.id}`);
      },
    );
}
