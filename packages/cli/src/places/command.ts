import type { Argv } from "yargs";
import { Refused } from "../api.ts";
import { confirmed, YES } from "../confirm.ts";
import { type Context, TEXT } from "../context.ts";
import { bytesOf } from "../docker/bytes.ts";
import { dropContext, shellLines, useContext } from "./docker-context.ts";
import { secondsOf } from "./duration.ts";
import { type FleetPlace, placesInFleet } from "./in-fleet.ts";
import { placesOnHost } from "./on-host.ts";
import { type Found, named, type Places, rowOf, type Wish } from "./place.ts";

const DEFAULT_PIDS = 1_024;
const NAMED = { ...TEXT, describe: "NAME or LOGIN/NAME" } as const;

interface TakeArgs {
  readonly name: string | undefined;
  readonly user: string | undefined;
  readonly memory: string;
  readonly cpus: number;
  readonly pids: number;
  readonly port: readonly string[];
  readonly for: string | undefined;
  readonly env: boolean | undefined;
}

function wishOf(args: TakeArgs): Wish {
  const memory = bytesOf(args.memory);
  if (memory === undefined) throw new Refused(`--memory ${args.memory}: want an amount such as 512m or 4g`);
  if (args.name === undefined && args.env !== true)
    throw new Refused("Name the place, or take one for a job with --env.");
  return {
    ...{ name: args.name ?? `job-${crypto.randomUUID().slice(0, 8)}`, user: args.user, memory, cpus: args.cpus },
    ...{ pids: args.pids, ports: args.port.flatMap((text) => text.split(",")) },
    seconds: args.for === undefined ? undefined : secondsOf(args.for),
  };
}

/**
 * `berth places`: shares of hosts for one user each. On a host of Berth they are that host's, over the engine's socket; with `--host`, and
 * everywhere else, they are the fleet's.
 */
export function placesCommand(y: Argv, context: Context): Argv {
  return y.command("places", "Take, extend and give back shares of hosts", (commands) =>
    [listCommand, takeCommand, extendCommand, giveCommand].reduce(
      (all, add) => add(all, context),
      commands.option("host", {
        type: "string",
        describe: "A host of the fleet; the fleet's places instead of this host's",
      }),
    ),
  );
}

/** Whether the command is about the fleet. */
function isFleets({ terminal }: Context, host: string | undefined): boolean {
  return host !== undefined || !terminal.hasEngine;
}

async function placesOf(context: Context, host: string | undefined): Promise<Places> {
  return isFleets(context, host)
    ? (placesInFleet(await context.api(), host) as Places)
    : (placesOnHost(context) as Places);
}

function shown({ show }: Context, args: Readonly<Record<string, unknown>>, found: Found, columns: readonly string[]) {
  show(args, args.json === true ? found.place : rowOf(found), columns);
}

function listCommand(y: Argv<{ host: string | undefined }>, context: Context) {
  return y.command(["list", "$0"], "List places", {}, async (args) => {
    const places = await placesOf(context, args.host as string | undefined);
    const found = await places.list();
    const answer = args.json === true ? found.map(({ place }) => place) : found.map(rowOf);
    context.show(args, answer, [...places.columns, "containers"]);
  });
}

function takeCommand(y: Argv<{ host: string | undefined }>, context: Context) {
  return y.command(
    "take [name]",
    "Take memory, processors and host ports",
    (c) =>
      c
        .positional("name", { type: "string", describe: "Small letters, digits and hyphens" })
        .option("user", { type: "string", describe: "For whom, by login; for yourself in the fleet" })
        .option("memory", { type: "string", demandOption: true, describe: "Of all containers in it, as in 4g" })
        .option("cpus", { type: "number", default: 1, describe: "Of all containers in it, as in 1.5" })
        .option("pids", { type: "number", default: DEFAULT_PIDS, describe: "Processes of all containers in it" })
        .option("port", {
          ...{ type: "string", array: true, default: [] as string[] },
          describe: "Host ports of its own: 8080, 8000-8010, 53/udp",
        })
        .option("for", { type: "string", describe: "How long, as in 2h; until it is given back otherwise" })
        .option("env", {
          type: "boolean",
          describe: "Print DOCKER_HOST for a shell's eval instead of a docker context",
        }),
    async (args) => {
      const wish = wishOf(args);
      const places = await placesOf(context, args.host);
      const found = await places.take(wish);
      if (isFleets(context, args.host) && wish.user === undefined)
        await enter(context, args, found as Found<FleetPlace>, () => shown(context, args, found, places.columns));
      else shown(context, args, found, places.columns);
    },
  );
}

/** Lets the user work in a place of its own that it just took. */
async function enter(
  { terminal }: Context,
  { env, json }: Readonly<Record<string, unknown>>,
  { place }: Found<FleetPlace>,
  showPlace: () => void,
): Promise<void> {
  const { name, host, address, state } = place;
  if (state !== "ready" || address === null)
    throw new Refused(
      `${host} has not answered yet: berth places shows when place ${name} is ready; berth places give ${name} --host ${host} withdraws it.`,
    );
  if (env === true) return terminal.write(shellLines(address, terminal.env));
  showPlace();
  if (json !== true)
    terminal.complain(`Place ${name} on ${host}: ${await useContext(terminal, name, host, address)}.\n`);
}

function extendCommand(y: Argv<{ host: string | undefined }>, context: Context) {
  return y.command(
    "extend <name>",
    "Let a place last longer",
    (c) =>
      c
        .positional("name", NAMED)
        .option("for", { type: "string", demandOption: true, describe: "How long from now, as in 2h" }),
    async (args) => {
      const seconds = secondsOf(args.for);
      const places = await placesOf(context, args.host);
      shown(context, args, await places.extend(await named(places, args.name), seconds), places.columns);
    },
  );
}

function giveCommand(y: Argv<{ host: string | undefined }>, context: Context) {
  return y.command(
    "give <name>",
    "Stop and remove everything in a place, and free its room and ports",
    (c) => c.positional("name", NAMED).option("yes", YES),
    async (args) => {
      const { terminal } = context;
      const places = await placesOf(context, args.host);
      const place = await named(places, args.name);
      const { name, user, containers = 0 } = place;
      const whose = `place ${name} of ${user.login}`;
      const what = containers === 1 ? "1 container" : `${containers} containers`;
      await confirmed(terminal, args.yes, `Give ${whose} back, with ${what} and all volumes and images in it?`);
      const outcome = await places.give(place);
      if (isFleets(context, args.host)) await dropContext(terminal, name);
      terminal.write(
        outcome === "ended"
          ? `Gave ${whose} back.\n`
          : `Gave ${whose} back; its host is still stopping what runs in it.\n`,
      );
    },
  );
}
