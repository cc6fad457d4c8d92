import type { Argv } from "yargs";
import { Refused } from "./api.ts";
import { type Context, TEXT } from "./context.ts";
import { withProgress } from "./progress.ts";

const TYPES = { csv: "text/csv", json: "application/x-ndjson" } as const;
/** Less is sent before anybody could read of it. */
const WORTH_TELLING = 1024 * 1024;
const FORMATS = ["json", "csv"] as const;

/** A file with how much of it is sent; standard input has no size to tell that by. */
async function watched(path: string, terminal: Context["terminal"]): Promise<ReadableStream<Uint8Array>> {
  const [body, size] = [await terminal.open(path), await terminal.sizeOf(path)];
  if (size === undefined || size < WORTH_TELLING) return body;
  const { complain: write, isTerminal } = terminal;
  return withProgress(body, { size, label: path }, { write, isTerminal });
}

export function transferCommands(y: Argv, { api, show, terminal }: Context): Argv {
  return y
    .command(
      "export",
      "Print the whole directory as JSON lines, or its users as CSV",
      (c) =>
        c
          .option("format", { choices: FORMATS, default: "json" as const, describe: "csv: the users alone" })
          .option("passwords", { type: "boolean", describe: "With the hashes of passwords" }),
      async (args) => {
        if (args.format === "csv" && args.passwords === true)
          throw new Refused("CSV holds no passwords: leave out --passwords or --format csv.");
        const path =
          args.format === "csv"
            ? "/api/export/users?format=csv"
            : `/api/export${args.passwords === true ? "?passwords=true" : ""}`;
        const lines = await (await api()).transfer("GET", path);
        const decoder = new TextDecoder();
        for await (const chunk of lines) terminal.write(decoder.decode(chunk, { stream: true }));
      },
    )
    .command(
      "import <file>",
      "Bring in an export, or users from CSV, all or none; - is standard input",
      (c) =>
        c
          .positional("file", TEXT)
          .option("format", { choices: FORMATS, describe: "When the name does not end in .csv or .jsonl" })
          .option("existing", {
            choices: ["refuse", "keep", "replace"] as const,
            default: "refuse" as const,
            describe: "What to do with users and groups that exist",
          }),
      async (args) => {
        const format = args.format ?? (args.file.endsWith(".csv") ? "csv" : "json");
        if (format === "csv" && args.existing !== "refuse")
          throw new Refused("CSV only adds users: leave out --existing.");
        const directory = await api();
        const body = await watched(args.file, terminal);
        const path = format === "csv" ? "/api/import/users" : `/api/import?existing=${args.existing}`;
        const answer = await directory.transfer("POST", path, { type: TYPES[format], body });
        const columns = ["users", "groups", "subgroups", "memberships", "constraints", "kept"];
        show(args, await new Response(answer).json(), format === "csv" ? ["imported"] : columns);
      },
    );
}
