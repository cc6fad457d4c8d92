import type { Argv } from "yargs";
import { type Context, TEXT } from "./context.ts";

const TYPES = { csv: "text/csv", json: "application/x-ndjson" } as const;
const FORMATS = ["json", "csv"] as const;

export function transferCommands(y: Argv, { api, show, terminal }: Context): Argv {
  return y
    .command(
      "export",
      "Print all users, a line each",
      (c) => c.option("format", { choices: FORMATS, default: "json" as const }),
      async (args) => {
        const lines = await (await api()).transfer("GET", `/api/export/users?format=${args.format}`);
        const decoder = new TextDecoder();
        for await (const chunk of lines) terminal.write(decoder.decode(chunk, { stream: true }));
      },
    )
    .command(
      "import <file>",
      "Create the users of a file, all or none; - is standard input",
      (c) =>
        c
          .positional("file", TEXT)
          .option("format", { choices: FORMATS, describe: "When the name ends in neither .csv nor .json" }),
      async (args) => {
        const directory = await api();
        const format = args.format ?? (args.file.endsWith(".csv") ? "csv" : "json");
        const body = await terminal.open(args.file);
        const answer = await directory.transfer("POST", "/api/import/users", { type: TYPES[format], body });
        show(args, await new Response(answer).json(), ["imported"]);
      },
    );
}
