import type { Argv } from "yargs";
import { Refused } from "./api.ts";
import { confirmed, YES } from "./confirm.ts";
import { type Context, TEXT } from "./context.ts";
import { userId, whoAmI } from "./names.ts";

/** What a token may open; `report` is for container services, which tell the audit what was done. */
export const SCOPES = ["read", "write", "engine", "report"] as const;

export function tokenCommands(y: Argv, { api, show, terminal }: Context): Argv {
  const whose = { type: "string", describe: "Whose tokens, by login; yours when omitted" } as const;
  return y
    .command(
      "list",
      "List tokens",
      (c) => c.option("user", whose),
      async (args) => {
        const directory = await api();
        const query = args.user === undefined ? "" : `?userId=${await userId(directory, args.user)}`;
        const tokens = await directory.get(`/api/tokens${query}`);
        show(args, tokens, ["id", "label", "scopes", "expiresAt", "lastUsedAt"]);
      },
    )
    .command(
      "add <label>",
      "Create a token; its text is shown this once",
      (c) =>
        c
          .positional("label", TEXT)
          .option("scope", { choices: SCOPES, array: true, demandOption: true, describe: "What it opens" })
          .option("user", whose)
          .option("expires", { type: "string", describe: "When it ends, as in 2030-01-31T00:00:00Z" }),
      async (args) => {
        const directory = await api();
        const body = {
          label: args.label,
          scopes: args.scope,
          ...(args.user === undefined ? {} : { userId: await userId(directory, args.user) }),
          ...(args.expires === undefined ? {} : { expiresAt: args.expires }),
        };
        show(args, await directory.send("POST", "/api/tokens", body), ["id", "label", "token"]);
      },
    )
    .command(
      "revoke <id>",
      "Revoke a token",
      (c) => c.positional("id", { type: "number", demandOption: true }).option("yes", YES),
      async (args) => {
        const directory = await api();
        const me = await whoAmI(directory);
        if (me.tokenId === args.id)
          throw new Refused(`Token ${args.id} is the one in use: revoke it with another one.`);
        await confirmed(terminal, args.yes, `Revoke token ${args.id}?`);
        await directory.send("DELETE", `/api/tokens/${args.id}`);
      },
    );
}
