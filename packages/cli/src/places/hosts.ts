import type { Argv } from "yargs";
import { confirmed, YES } from "../confirm.ts";
import { type Context, TEXT } from "../context.ts";
import { mebibytes } from "./place.ts";

interface FleetHost {
  readonly name: string;
  readonly memory: number;
  readonly memoryFree: number;
  readonly cpus: number;
  readonly cpusFree: number;
  readonly isAlive: boolean;
  readonly isDraining: boolean;
  readonly seenAt: string;
}

const COLUMNS = ["host", "state", "memory", "cpus", "places", "address"];

function row({ name, memory, memoryFree, cpus, cpusFree, isAlive, isDraining, seenAt, ...rest }: FleetHost) {
  const state = isAlive ? (isDraining ? "draining" : "ready") : `unreachable since ${seenAt}`;
  const free = { memory: `${mebibytes(memoryFree)} of ${mebibytes(memory)}`, cpus: `${cpusFree} of ${cpus}` };
  return { ...rest, host: name, state, ...free };
}

/** `berth hosts`: the hosts of the directory's fleet. */
export function hostsCommand(y: Argv, { api, show, terminal }: Context): Argv {
  const host = (c: Argv) => c.positional("host", { ...TEXT, describe: "The host's name" });
  const drain =
    (isDraining: boolean) => async (args: { readonly host: string } & Readonly<Record<string, unknown>>) => {
      const answer = await (await api()).send("PATCH", `/api/fleet/hosts/${encodeURIComponent(args.host)}`, {
        isDraining,
      });
      show(args, args.json === true ? answer : row(answer as FleetHost), COLUMNS);
    };
  return y.command("hosts", "List, drain and forget hosts of the fleet", (commands) =>
    commands
      .command(["list", "$0"], "List the hosts, with what each has free", {}, async (args) => {
        const hosts = (await (await api()).get("/api/fleet/hosts")) as readonly FleetHost[];
        show(args, args.json === true ? hosts : hosts.map(row), COLUMNS);
      })
      .command("drain <host>", "Grant no more places there; what is there stays", host, drain(true))
      .command("undrain <host>", "Grant places there again", host, drain(false))
      .command(
        "forget <host>",
        "Give up a host that is gone for good, and free what its places held",
        (c) => host(c).option("yes", YES),
        async (args) => {
          const name = String(args.host);
          await confirmed(terminal, args.yes, `Give up the host ${name} with all places on it?`);
          await (await api()).send("DELETE", `/api/fleet/hosts/${encodeURIComponent(name)}`);
          terminal.write(`${name} is forgotten; if it comes back, it ends its places before it gets new ones.\n`);
        },
      ),
  );
}
