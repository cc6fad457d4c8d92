import type { Argv } from "yargs";
import { confirmed, YES } from "../confirm.ts";
import type { Context } from "../context.ts";
import { userId } from "../names.ts";
import { fromEngine } from "./engine.ts";

const COLUMNS = ["login", "name", "outcome", "reason"];

/** `berth enforce`: stops running containers that their owners may no longer run, over the engine's socket on this host. */
export function enforceCommand(y: Argv, { api, show, terminal }: Context): Argv {
  return y.command(
    "enforce",
    "Stop running containers that their owners may no longer run",
    (c) =>
      c
        .option("user", { type: "string", describe: "Only this user's, by login" })
        .option("dry-run", { type: "boolean", describe: "Show them and stop none" })
        .option("yes", YES),
    async (args) => {
      const owner = args.user === undefined ? {} : { owner: String(await userId(await api(), args.user)) };
      const dryRun = args["dry-run"] === true;
      if (!dryRun) await confirmed(terminal, args.yes, "Stop every container that is no longer permitted?");
      const query = new URLSearchParams({ ...owner, dryRun: String(dryRun) });
      const body = await fromEngine(terminal.engine, "POST", `/berth/enforce?${query}`);
      if (args.json !== true && Array.isArray(body) && body.length === 0)
        terminal.write("Every running container is permitted.\n");
      else show(args, body, COLUMNS);
    },
  );
}
