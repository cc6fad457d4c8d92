import yargs, { type Argv } from "yargs";
import { accountCommands } from "./account.ts";
import { createApi, Refused, Unreachable } from "./api.ts";
import { auditCommand } from "./audit.ts";
import { baselinesCommand } from "./baselines.ts";
import { constraintCommands } from "./constraints.ts";
import type { Context, Terminal } from "./context.ts";
import { explainCommand } from "./explain.ts";
import { groupCommands } from "./groups.ts";
import { enforceCommand } from "./host/enforce.ts";
import { portsCommand } from "./host/ports.ts";
import { loginCommands } from "./login.ts";
import { placesCommand } from "./places/command.ts";
import { hostsCommand } from "./places/hosts.ts";
import { table } from "./show.ts";
import { nearestOption } from "./suggest.ts";
import { tokenCommands } from "./tokens.ts";
import { transferCommands } from "./transfer.ts";
import { userCommands } from "./users.ts";

export interface Settings {
  readonly url: string;
  readonly version: string;
  /** Read when a command needs it, so that help and completion need none. */
  readonly token: () => Promise<string>;
}

const NOUNS = {
  users: ["Users", userCommands],
  groups: ["Groups and who is in them", groupCommands],
  constraints: ["What users and groups may do", constraintCommands],
  tokens: ["Tokens", tokenCommands],
} as const;

/** What the command that a line begins with says of itself. */
async function helpOf(parser: Argv, argv: readonly string[]): Promise<string> {
  const end = argv.findIndex((word) => word.startsWith("-"));
  let help = "";
  await parser.parseAsync([...argv.slice(0, end === -1 ? argv.length : end), "--help"], {}, (_fault, _args, output) => {
    help = output;
  });
  return help;
}

/** Runs one command of `berth`; the exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function run(argv: readonly string[], settings: Settings, terminal: Terminal): Promise<number> {
  const context: Context = {
    terminal,
    url: settings.url,
    api: async () => createApi({ url: settings.url, token: await settings.token(), fetch: terminal.fetch }),
    show(args, value, columns) {
      const rows = Array.isArray(value) ? (value as object[]) : [value as object];
      terminal.write(args.json === true ? `${JSON.stringify(value, null, 2)}\n` : `${table(rows, columns)}\n`);
    },
  };
  let parser: Argv = yargs([...argv])
    .scriptName("berth")
    // yargs would translate its own words alone.
    .locale("en")
    .parserConfiguration({ "populate--": true })
    .option("json", { type: "boolean", describe: "Answer as JSON", global: true })
    .usage("$0 <command>\n\nAdministers a Berth directory. BERTH_DIRECTORY_URL names it, BERTH_TOKEN is your token.");
  for (const [noun, [describe, commands]] of Object.entries(NOUNS))
    parser = parser.command(noun, describe, (y) => commands(y, context).demandCommand(1).recommendCommands());
  for (const add of [
    explainCommand,
    loginCommands,
    accountCommands,
    auditCommand,
    baselinesCommand,
    portsCommand,
    placesCommand,
    hostsCommand,
    transferCommands,
    enforceCommand,
  ])
    parser = add(parser, context);
  parser = parser
    .completion("completion", "Print a script that completes commands in your shell")
    .demandCommand(1)
    .recommendCommands()
    .strict()
    .version(settings.version)
    .exitProcess(false)
    .fail(false);
  // A bare command asks what there is.
  const line = argv.every((word) => word in NOUNS) && argv.length < 2 ? [...argv, "--help"] : [...argv];
  try {
    await parser.parseAsync(line, {}, (fault, _args, output) => {
      // Help and completions come as output; what was not understood comes as a fault with the help that no one asked for.
      if (fault) throw fault;
      if (output !== "") terminal.write(`${output}\n`);
    });
  } catch (fault) {
    const { message } = fault as Error;
    const [, unknown] = /^Unknown arguments?: ([a-z-]+)/.exec(message) ?? [];
    const meant = unknown === undefined ? undefined : nearestOption(unknown, await helpOf(parser, argv));
    terminal.complain(`berth: ${message}${meant === undefined ? "" : `. Did you mean --${meant}?`}\n`);
    // What is neither refused nor unreachable is yargs's own: it did not understand the line.
    return fault instanceof Refused || fault instanceof Unreachable ? 1 : 2;
  }
  return 0;
}
