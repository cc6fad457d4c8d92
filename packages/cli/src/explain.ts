import { text } from "node:stream/consumers";
import type { Argv } from "yargs";
import { Refused } from "./api.ts";
import type { Context } from "./context.ts";
import { parseCompose } from "./docker/compose.ts";
import { factsOf } from "./docker/facts.ts";
import { type DockerRun, parseDockerLine } from "./docker/line.ts";
import { userId, whoAmI } from "./names.ts";

interface Decision {
  readonly decision: "allow" | "refuse";
  readonly message: string;
  readonly bypass: string | null;
  readonly checks: readonly { readonly outcome: string }[];
}

export function explainCommand(y: Argv, { api, show, terminal }: Context): Argv {
  return y.command(
    "explain [login]",
    "Tell whether a user may run a container, and why not",
    (c) =>
      c
        .positional("login", { type: "string", describe: "Whom to decide on; you when omitted" })
        .option("compose", { type: "string", nargs: 1, describe: "A compose file; - is standard input" })
        .example("$0 explain ann -- run -p 9000:80 nginx", "a docker command line, after two dashes")
        .example("$0 explain ann --compose compose.yaml", "every service of a compose file"),
    async (args) => {
      const containers = await containersOf(args, terminal);
      const directory = await api();
      const id = args.login === undefined ? (await whoAmI(directory)).id : await userId(directory, args.login);
      const decisions: (Decision & { readonly container: string })[] = [];
      for (const [container, run] of containers) {
        const request = factsOf(run, terminal.folder);
        if (!request.ok) throw new Refused(`${container}: ${request.error}`);
        const decision = (await directory.send("POST", "/api/decisions", {
          userId: id,
          request: request.value,
        })) as Decision;
        decisions.push({ container, ...decision });
      }
      if (args.json === true) return show(args, decisions.length === 1 ? decisions[0] : decisions, []);
      for (const { container, decision, message, bypass, checks } of decisions) {
        const name = decisions.length === 1 ? "" : `${container}: `;
        const why = bypass === null ? "" : " (an administrator is bound by no constraint)";
        terminal.write(`${name}${decision}${message === "" ? why : `: ${message}`}\n`);
        const told = checks.filter(({ outcome }) => outcome === "refuse");
        if (told.length > 0) show(args, told, ["kind", "item", "passing", "remedy"]);
      }
      terminal.complain("What the user's other containers hold is not counted here.\n");
    },
  );
}

async function containersOf(
  args: Readonly<Record<string, unknown>>,
  terminal: Context["terminal"],
): Promise<ReadonlyMap<string, DockerRun>> {
  const words = args["--"] as readonly string[] | undefined;
  if (typeof args.compose === "string") {
    const file = parseCompose(await text(await terminal.open(args.compose)), terminal.env);
    if (!file.ok) throw new Refused(`${args.compose}: ${file.error}`);
    return file.value;
  }
  const line = parseDockerLine(words ?? []);
  if (!line.ok) throw new Refused(`The command line: ${line.error}.`);
  return new Map([[line.value.image, line.value]]);
}
