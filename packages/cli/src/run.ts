import yargs from "yargs";
import { createApi, Refused, Unreachable } from "./api.ts";
import { constraintCommands } from "./constraints.ts";
import type { Terminal } from "./context.ts";
import { groupCommands } from "./groups.ts";
import { table } from "./show.ts";
import { tokenCommands } from "./tokens.ts";
import { userCommands } from "./users.ts";

interface Settings {
  readonly url: string;
  /** Read when a command needs it, so that help and completion need none. */
  readonly token: () => Promise<string>;
}

/** Runs one command of `berth`; the exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function run(argv: readonly string[], settings: Settings, terminal: Terminal): Promise<number> {
  const api = async () => createApi({ url: settings.url, token: await settings.token(), fetch: terminal.fetch });
  const show = (args: Readonly<Record<string, unknown>>, value: unknown, columns: readonly string[]) => {
    const rows = Array.isArray(value) ? (value as object[]) : [value as object];
    terminal.write(args.json === true ? `${JSON.stringify(value, null, 2)}\n` : `${table(rows, columns)}\n`);
  };
  const parser = yargs([...argv])
    .scriptName("berth")
    .option("json", { type: "boolean", describe: "Answer as JSON", global: true })
    .command("users", "People", (y) => userCommands(y, { api, show, terminal }).demandCommand(1))
    .command("groups", "Groups and who is in them", (y) => groupCommands(y, { api, show, terminal }).demandCommand(1))
    .command("constraints", "What users and groups may do", (y) =>
      constraintCommands(y, { api, show, terminal }).demandCommand(1),
    )
    .command("tokens", "Tokens", (y) => tokenCommands(y, { api, show, terminal }).demandCommand(1))
    .completion("completion", "Print a script that completes commands in your shell")
    .demandCommand(1)
    .strict()
    .version(false)
    .exitProcess(false)
    .fail(false);
  try {
    await parser.parseAsync([...argv], {}, (fault, _args, output) => {
      // Help and completions come as output; what was not understood comes as a fault with the help that no one asked for.
      if (fault) throw fault;
      if (output !== "") terminal.write(`${output}\n`);
    });
  } catch (fault) {
    const { message } = fault as Error;
    terminal.complain(`berth: ${message}\n`);
    // What is neither refused nor unreachable is yargs's own: the line was none of ours.
    return fault instanceof Refused || fault instanceof Unreachable ? 1 : 2;
  }
  return 0;
}
