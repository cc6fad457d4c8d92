import { formatEndpoint, formatPortRange, parsePortSpec } from "@berth/port-spec";
import type { Argv } from "yargs";
import { type Api, Refused } from "../api.ts";
import { confirmed, YES } from "../confirm.ts";
import { type Context, TEXT } from "../context.ts";
import { groupId, userId } from "../names.ts";
import { fromEngine } from "./engine.ts";

/** Whom ports are reserved for. */
interface Claimant {
  readonly kind: "user" | "group" | "place";
  readonly id: string;
  readonly name: string;
}

/** An entry of the engine's `GET /berth/ports`. */
type Entry = {
  readonly hostIp: string;
  readonly hostPorts: string;
  readonly protocol: string;
  readonly since: string;
} & (
  | {
      readonly kind: "lease";
      readonly containerPort: number;
      readonly container: { readonly name: string };
      readonly owner: string | null;
    }
  | { readonly kind: "reservation"; readonly id: string; readonly claimant: Claimant }
);

const COLUMNS = ["host", "protocol", "holder", "owner", "to", "since"];

/** The host ports of a positional argument `8080`, `8000-8010/udp`. */
function hostPorts(text: string): { readonly hostPorts: string; readonly protocol: string } {
  const spec = parsePortSpec(text);
  if (!spec.ok || spec.value.host !== undefined || spec.value.hostIp !== "")
    throw new Refused(`${text} is no host port: want 8080, 8000-8010 or 53/udp`);
  return { hostPorts: formatPortRange(spec.value.container), protocol: spec.value.protocol };
}

function positional(y: Argv) {
  return y
    .positional("ports", { ...TEXT, describe: "8080, 8000-8010 or 53/udp" })
    .option("interface", { type: "string", default: "", describe: "One address of the host instead of all" });
}

async function claimantOf(
  api: Api,
  { user, group }: { readonly user: string | undefined; readonly group: string | undefined },
): Promise<Claimant> {
  if (user !== undefined) return { kind: "user", id: String(await userId(api, user)), name: user };
  if (group !== undefined) return { kind: "group", id: String(await groupId(api, group)), name: group };
  throw new Refused("Say for whom with --user or --group.");
}

/** The logins of owners, by id; without those whom the directory does not tell. */
async function loginsOf(api: Context["api"], ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.allSettled(
    ids.map(async (id) => [id, ((await (await api()).get(`/api/users/${id}`)) as { login: string }).login] as const),
  );
  return new Map(found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
}

function row(entry: Entry, logins: ReadonlyMap<string, string>) {
  const { hostIp, hostPorts: ports, protocol, since } = entry;
  const host = { host: hostIp === "" ? ports : formatEndpoint(hostIp, ports), protocol, since };
  if (entry.kind === "reservation")
    return { ...host, holder: `reserved for ${entry.claimant.kind} ${entry.claimant.name}` };
  const { container, owner, containerPort } = entry;
  return {
    ...host,
    holder: `container ${container.name}`,
    owner: owner === null ? null : (logins.get(owner) ?? `user ${owner}`),
    to: containerPort,
  };
}

/** `berth ports`: who holds and who reserves host ports, over the engine's socket on this host. */
export function portsCommand(y: Argv, { api, show, terminal }: Context): Argv {
  const entries = async () => (await fromEngine(terminal.engine, "GET", "/berth/ports")) as readonly Entry[];
  return y.command("ports", "List, reserve and give up host ports", (commands) =>
    commands
      .command(["list", "$0"], "List who holds and who reserves host ports", {}, async (args) => {
        const found = await entries();
        const owners = found.flatMap((entry) => (entry.kind === "lease" && entry.owner !== null ? [entry.owner] : []));
        const logins = args.json === true ? new Map() : await loginsOf(api, [...new Set(owners)]);
        show(args, args.json === true ? found : found.map((entry) => row(entry, logins)), COLUMNS);
      })
      .command(
        "reserve <ports>",
        "Keep host ports for a user, or for the members of a group",
        (c) =>
          positional(c)
            .option("user", { type: "string", describe: "For whom, by login" })
            .option("group", { type: "string", describe: "For whom, by the group's name" })
            .conflicts("user", "group"),
        async (args) => {
          const wanted = { hostIp: args.interface, ...hostPorts(args.ports) };
          const claimant = await claimantOf(await api(), args);
          const body = { ...wanted, claimant };
          const made = (await fromEngine(terminal.engine, "POST", "/berth/ports/reservations", body)) as Entry;
          show(args, args.json === true ? made : row(made, new Map()), ["host", "protocol", "holder", "since"]);
        },
      )
      .command(
        "unreserve <ports>",
        "Give up a reservation",
        (c) => positional(c).option("yes", YES),
        async (args) => {
          const wanted = { hostIp: args.interface, ...hostPorts(args.ports) };
          const found = (await entries()).find(
            (entry) =>
              entry.kind === "reservation" &&
              entry.hostIp === wanted.hostIp &&
              entry.hostPorts === wanted.hostPorts &&
              entry.protocol === wanted.protocol,
          );
          if (found?.kind !== "reservation")
            throw new Refused(`${args.ports} is not reserved; berth ports lists what is, and on which interface`);
          const whose = `${found.claimant.kind} ${found.claimant.name}`;
          await confirmed(terminal, args.yes, `Give up the reservation of ${args.ports} for ${whose}?`);
          await fromEngine(terminal.engine, "DELETE", `/berth/ports/reservations/${found.id}`);
          terminal.write(`${args.ports} is no longer reserved for ${whose}.\n`);
        },
      ),
  );
}
