import { text } from "node:stream/consumers";
import type { Argv } from "yargs";
import { Refused } from "./api.ts";
import type { Context } from "./context.ts";
import { parseCompose } from "./docker/compose.ts";
import { createBodyOf } from "./docker/create-body.ts";
import { factsOf } from "./docker/facts.ts";
import { type DockerRun, parseDockerLine } from "./docker/line.ts";
import { fromEngine } from "./host/engine.ts";
import { userId, whoAmI } from "./names.ts";

interface Decision {
  readonly decision: "allow" | "refuse";
  readonly message: string;
  readonly bypass: string | null;
  readonly checks: readonly { readonly outcome: string }[];
  /** What the engine alone tells: the ports that a start would get now, or why it would get none, and warnings. */
  readonly ports?: readonly string[];
  readonly conflict?: string | null;
  readonly warnings?: readonly string[];
}

/** Decides on one container. */
type Decide = (run: DockerRun, name: string) => Promise<Decision>;

export function explainCommand(y: Argv, context: Context): Argv {
  const { terminal, show } = context;
  return y.command(
    "explain [login]",
    "Tell whether a user may run a container, and why not",
    (c) =>
      c
        .positional("login", { type: "string", describe: "Whom to decide on; you when omitted" })
        .option("compose", { type: "string", nargs: 1, describe: "A compose file; - is standard input" })
        .option("here", {
          type: "boolean",
          default: false,
          describe: "On this host: beside what the user has, with who holds the ports",
        })
        .option("place", { type: "string", nargs: 1, describe: "In this place of the user; needs --here" })
        .example("$0 explain ann -- run -p 9000:80 nginx", "a docker command line, after two dashes")
        .example("$0 explain ann --here -- run -p 9000:80 nginx", "and whether port 9000 of this host is free")
        .example("$0 explain ann --compose compose.yaml", "every service of a compose file"),
    async (args) => {
      const containers = await containersOf(args, terminal);
      if (args.place !== undefined && !args.here)
        throw new Refused("--place needs --here: the host alone knows what is in a place.");
      const decide = args.here ? byEngine(context, args) : await byDirectory(context, args.login);
      const decisions: (Decision & { readonly container: string })[] = [];
      for (const [container, run] of containers) decisions.push({ container, ...(await decide(run, container)) });
      if (args.json === true) return show(args, decisions.length === 1 ? decisions[0] : decisions, []);
      for (const decision of decisions) {
        terminal.write(`${decisions.length === 1 ? "" : `${decision.container}: `}${verdict(decision)}\n`);
        const told = decision.checks.filter(({ outcome }) => outcome === "refuse");
        if (told.length > 0) show(args, told, ["kind", "item", "passing", "remedy"]);
        if (decision.ports !== undefined && decision.ports.length > 0)
          terminal.write(`ports it would get now: ${decision.ports.join(", ")}\n`);
        for (const warning of decision.warnings ?? []) terminal.complain(`${warning}\n`);
      }
      if (!args.here)
        terminal.complain(
          "What the user's other containers hold is not counted here; on the host, --here counts it.\n",
        );
    },
  );
}

function verdict({ decision, message, bypass, conflict = null }: Decision): string {
  if (decision === "refuse") return `refuse: ${message}`;
  const why = bypass === null ? "" : " (an administrator is bound by no constraint)";
  return conflict === null ? `allow${why}` : `allow${why}, but a start would fail now: ${conflict}`;
}

/** By what the directory knows. */
async function byDirectory({ api, terminal }: Context, login: string | undefined): Promise<Decide> {
  const directory = await api();
  const id = login === undefined ? (await whoAmI(directory)).id : await userId(directory, login);
  return async (run, name) => {
    const request = factsOf(run, terminal.folder);
    if (!request.ok) throw new Refused(`${name}: ${request.error}`);
    return (await directory.send("POST", "/api/decisions", { userId: id, request: request.value })) as Decision;
  };
}

/** By what the container service of this host knows. */
function byEngine(
  { terminal }: Context,
  { login, place }: { readonly login: string | undefined; readonly place: string | undefined },
): Decide {
  const asked = Object.entries({ user: login, place }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const query = asked.length === 0 ? "" : `?${asked.join("&")}`;
  return async (run, name) => {
    const body = createBodyOf(run, terminal.folder);
    if (!body.ok) throw new Refused(`${name}: ${body.error}`);
    return (await fromEngine(terminal.engine, "POST", `/berth/explain${query}`, body.value)) as Decision;
  };
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
