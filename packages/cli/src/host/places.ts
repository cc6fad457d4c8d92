import type { Argv } from "yargs";
import { type Api, Refused } from "../api.ts";
import { confirmed, YES } from "../confirm.ts";
import { type Context, TEXT } from "../context.ts";
import { bytesOf } from "../docker/bytes.ts";
import { userId } from "../names.ts";
import { type AskEngine, fromEngine } from "./engine.ts";

/** A place as the engine's `GET /berth/places` has it. */
interface Place {
  readonly id: string;
  readonly name: string;
  readonly user: { readonly id: string; readonly login: string };
  readonly memory: number;
  readonly cpus: number;
  readonly pids: number;
  readonly ports: readonly string[];
  readonly state: "taken" | "ready" | "ending";
  readonly until: string | null;
  readonly containers?: number;
}

const COLUMNS = ["place", "user", "state", "memory", "cpus", "pids", "ports", "left", "containers"];
const DEFAULT_PIDS = 1_024;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of a duration as people write it: `90s`, `30m`, `1h30m`, `2d`. */
export function secondsOf(text: string): number {
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  const seconds = parts.reduce((sum, [, amount = "", unit = ""]) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
  if (parts.map(([part]) => part).join("") !== text || seconds === 0)
    throw new Refused(`--for ${text}: want a time such as 30m, 2h or 1h30m`);
  return seconds;
}

/** The time that is left, in its two largest units. */
function left(until: string | null, now: number): string {
  if (until === null) return "until given back";
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1000));
  const parts = (["d", "h", "m", "s"] as const).map((unit, at, units) => {
    const above = units[at - 1];
    const rest = above === undefined ? seconds : seconds % (UNITS[above] ?? 1);
    return [Math.floor(rest / (UNITS[unit] ?? 1)), unit] as const;
  });
  const first = parts.findIndex(([amount]) => amount > 0);
  return first === -1
    ? "0s"
    : parts
        .slice(first, first + 2)
        .filter(([amount]) => amount > 0)
        .map(([amount, unit]) => `${amount}${unit}`)
        .join(" ");
}

function row({ name, user, state, memory, cpus, pids, ports, until, containers }: Place) {
  const size = { memory: `${Math.floor(memory / 2 ** 20)}m`, cpus, pids };
  const shown = { ports: ports.length === 0 ? null : ports.join(" "), left: left(until, Date.now()), containers };
  return { place: name, user: user.login, state, ...size, ...shown };
}

/** The place that `NAME` or `LOGIN/NAME` means. */
async function named(engine: AskEngine, text: string): Promise<Place> {
  const places = (await fromEngine(engine, "GET", "/berth/places")) as readonly Place[];
  const found = places.filter(({ name, user }) => text === name || text === `${user.login}/${name}`);
  const [place, ...others] = found;
  if (place === undefined) throw new Refused(`There is no place ${text} on this host; berth places lists them.`);
  if (others.length > 0)
    throw new Refused(`${text} is ambiguous: use ${found.map((one) => `${one.user.login}/${one.name}`).join(" or ")}.`);
  return place;
}

interface Wish {
  readonly name: string;
  readonly user: string;
  readonly memory: string;
  readonly cpus: number;
  readonly pids: number;
  readonly port: readonly string[];
  readonly for: string | undefined;
}

async function bodyOf(api: Api, wish: Wish): Promise<object> {
  const memory = bytesOf(wish.memory);
  if (memory === undefined) throw new Refused(`--memory ${wish.memory}: want an amount such as 512m or 4g`);
  return {
    ...{ name: wish.name, user: String(await userId(api, wish.user)), memory, cpus: wish.cpus, pids: wish.pids },
    ports: wish.port.flatMap((text) => text.split(",")),
    ...(wish.for === undefined ? {} : { seconds: secondsOf(wish.for) }),
  };
}

/** `berth places`: shares of this host for one user each, over the engine's socket on this host. */
export function placesCommand(y: Argv, { api, show, terminal }: Context): Argv {
  const { engine } = terminal;
  const shown = (args: Readonly<Record<string, unknown>>, place: unknown) =>
    show(args, args.json === true ? place : row(place as Place), COLUMNS.slice(0, -1));
  return y.command("places", "Take, extend and give back shares of this host", (commands) =>
    commands
      .command(["list", "$0"], "List the places of this host", {}, async (args) => {
        const places = (await fromEngine(engine, "GET", "/berth/places")) as readonly Place[];
        show(args, args.json === true ? places : places.map(row), COLUMNS);
      })
      .command(
        "take <name>",
        "Take memory, processors and host ports for a user",
        (c) =>
          c
            .positional("name", { ...TEXT, describe: "Small letters, digits and hyphens" })
            .option("user", { type: "string", demandOption: true, describe: "For whom, by login" })
            .option("memory", { type: "string", demandOption: true, describe: "Of all containers in it, as in 4g" })
            .option("cpus", { type: "number", demandOption: true, describe: "Of all containers in it, as in 1.5" })
            .option("pids", { type: "number", default: DEFAULT_PIDS, describe: "Processes of all containers in it" })
            .option("port", {
              ...{ type: "string", array: true, default: [] as string[] },
              describe: "Host ports of its own: 8080, 8000-8010, 53/udp",
            })
            .option("for", { type: "string", describe: "How long, as in 2h; until it is given back otherwise" }),
        async (args) => {
          const place = await fromEngine(engine, "POST", "/berth/places", await bodyOf(await api(), args));
          shown(args, place);
        },
      )
      .command(
        "extend <name>",
        "Let a place last longer",
        (c) =>
          c
            .positional("name", { ...TEXT, describe: "NAME or LOGIN/NAME" })
            .option("for", { type: "string", demandOption: true, describe: "How long from now, as in 2h" }),
        async (args) => {
          const body = { seconds: secondsOf(args.for) };
          const { id } = await named(engine, args.name);
          shown(args, await fromEngine(engine, "POST", `/berth/places/${id}/extend`, body));
        },
      )
      .command(
        "give <name>",
        "Stop and remove everything in a place, and free its room and ports",
        (c) => c.positional("name", { ...TEXT, describe: "NAME or LOGIN/NAME" }).option("yes", YES),
        async (args) => {
          const { id, name, user, containers = 0 } = await named(engine, args.name);
          const whose = `place ${name} of ${user.login}`;
          const what = containers === 1 ? "1 container" : `${containers} containers`;
          await confirmed(terminal, args.yes, `Give ${whose} back, with ${what} and all volumes and images in it?`);
          await fromEngine(engine, "DELETE", `/berth/places/${id}`);
          terminal.write(`Gave ${whose} back.\n`);
        },
      ),
  );
}
