import {
  type Baseline,
  EFFECTS,
  effectiveConstraints,
  type OwnedConstraint,
  type UserId,
  type Warning,
  warningsOf,
} from "@berth/directory-domain";
import type { Argv } from "yargs";
import { type Api, Refused } from "./api.ts";
import { describeBaseline } from "./baselines.ts";
import { confirmed, YES } from "./confirm.ts";
import { constraintsOf } from "./constraint-flags.ts";
import { type Context, TEXT } from "./context.ts";
import { groupId, userId, whoAmI } from "./names.ts";
import { describeConstraint } from "./phrases.ts";

const COLUMNS = ["id", "effect", "what", "note", "expiresAt"];

function owner(y: Argv) {
  return y
    .option("user", { type: "string", describe: "Whose, by login" })
    .option("group", { type: "string", describe: "Whose, by the group's name" })
    .conflicts("user", "group");
}

function rules(y: Argv) {
  const list = { type: "string", array: true } as const;
  return y
    .option("ports", { ...list, describe: "Host ports: 8000-8099, 53/udp" })
    .option("interfaces", { ...list, describe: "Host addresses: 127.0.0.1, 10.0.0.0/8" })
    .option("images", { ...list, describe: "Images: nginx, acme/*, ghcr.io/acme/*" })
    .option("mounts", { ...list, describe: "Host folders: /srv, /srv:ro" })
    .option("privileges", { ...list, describe: "Privileges: host-network, capability:NET_ADMIN" })
    .option("networks", { ...list, describe: "Networks of others to join: teamnet, 7/shop_*" })
    .option("subnets", { ...list, describe: "Subnets for own networks: 10.1.0.0/16" })
    .option("quota", { ...list, describe: "Quotas: memory=4g, cpu=2, containers=10" })
    .option("shared-quota", { ...list, describe: "Of all members of a group together: memory=16g, containers=50" })
    .option("effect", { choices: EFFECTS, default: "limit" as const, describe: "Keep only, take away, or add" })
    .option("note", { type: "string", describe: "Why" })
    .option("expires", { type: "string", describe: "When it ends, as in 2030-01-31T00:00:00Z" });
}

interface Owned {
  readonly kind: "users" | "groups";
  readonly id: number;
}

async function ownerOf(directory: Api, args: Readonly<Record<string, unknown>>): Promise<Owned> {
  if (typeof args.user === "string") return { kind: "users", id: await userId(directory, args.user) };
  if (typeof args.group === "string") return { kind: "groups", id: await groupId(directory, args.group) };
  throw new Refused("Say whose with --user or --group.");
}

export function readJson(json: string): object {
  try {
    return JSON.parse(json) as object;
  } catch {
    throw new Refused(`Not JSON: ${json}`);
  }
}

export function constraintCommands(y: Argv, { api, show, terminal }: Context): Argv {
  return y
    .command(
      "list",
      "List the constraints of a user or group",
      (c) =>
        owner(c).option("inherited", {
          type: "boolean",
          describe: "With those of the user's groups, and the baseline",
        }),
      async (args) => {
        const directory = await api();
        const { kind, id } = await ownerOf(directory, args);
        if (args.inherited !== true) {
          const found = (await directory.get(`/api/${kind}/${id}/constraints`)) as readonly object[];
          return show(args, args.json === true ? found : found.map(row), COLUMNS);
        }
        if (kind === "groups") throw new Refused("Only users inherit: name one with --user.");
        const effective = (await directory.get(`/api/users/${id}/effective-constraints`)) as Effective;
        if (args.json === true) return show(args, effective, []);
        const rows = effective.constraints.map((one) => ({ ...row(one), owner: ownerName(one, effective) }));
        show(args, rows, ["id", "owner", "effect", "what", "expiresAt"]);
        terminal.write(`\nBaseline: ${describeBaseline(effective.baseline)}\n`);
      },
    )
    .command(
      "add [constraint]",
      "Give a user or group constraints, by flags or as JSON",
      (c) => rules(owner(c.positional("constraint", { type: "string", describe: "As JSON" }))),
      async (args) => {
        const flags = constraintsOf(args, args.effect);
        if (!flags.ok) throw new Refused(flags.error);
        const given = [...(typeof args.constraint === "string" ? [readJson(args.constraint)] : []), ...flags.value];
        if (given.length === 0) throw new Refused("Say what the constraint is about, as in --ports 8000-8099.");
        const directory = await api();
        const { kind, id } = await ownerOf(directory, args);
        if (kind === "users" && args.sharedQuota !== undefined)
          throw new Refused("Only groups have shared quotas; give a user a quota.");
        const about = {
          ...(args.note === undefined ? {} : { note: args.note }),
          ...(args.expires === undefined ? {} : { expiresAt: args.expires }),
        };
        const made: OwnedConstraint[] = [];
        for (const one of given)
          made.push(
            (await directory.send("POST", `/api/${kind}/${id}/constraints`, { ...one, ...about })) as OwnedConstraint,
          );
        show(args, args.json === true && made.length === 1 ? made[0] : made.map(row), ["id", "effect", "what"]);
        for (const warning of await warnings(directory, { kind, id }, made))
          terminal.complain(`berth: warning: ${warning}\n`);
      },
    )
    .command(
      "remove <id>",
      "Remove a constraint",
      (c) => c.positional("id", { type: "number", demandOption: true }).option("yes", YES),
      async (args) => {
        const directory = await api();
        const found = (await directory.get(`/api/constraints/${args.id}`)) as OwnedConstraint;
        const { effect, what } = row(found);
        await confirmed(terminal, args.yes, `Remove constraint ${args.id} (${effect} ${what})?`);
        await directory.send("DELETE", `/api/constraints/${args.id}`);
      },
    )
    .command(
      "explain <login> <request>",
      "Explain the decision on a request written as JSON; see also berth explain",
      (c) => c.positional("login", TEXT).positional("request", TEXT),
      async (args) => {
        const directory = await api();
        const body = { userId: await userId(directory, args.login), request: readJson(args.request) };
        const decision = (await directory.send("POST", "/api/decisions", body)) as {
          decision: string;
          message: string;
          checks: object[];
        };
        if (args.json === true) return show(args, decision, []);
        terminal.write(`${decision.decision}${decision.message === "" ? "" : `: ${decision.message}`}\n`);
        show(args, decision.checks, ["kind", "item", "outcome", "passing"]);
      },
    );
}

interface Effective {
  readonly subject: { readonly login: string };
  readonly baseline: Baseline;
  readonly constraints: readonly OwnedConstraint[];
}

function row(constraint: object) {
  const { id, effect, note, expiresAt } = constraint as OwnedConstraint & { readonly note?: string };
  return { id, effect, what: describeConstraint(constraint as OwnedConstraint), note, expiresAt };
}

function ownerName({ owner: { type, id, ...rest } }: OwnedConstraint, { subject }: Effective): string {
  return type === "user" ? subject.login : `group ${"name" in rest ? rest.name : id}`;
}

/** What an administrator hardly meant by constraints that were just made. */
async function warnings(directory: Api, owned: Owned, made: readonly OwnedConstraint[]): Promise<readonly string[]> {
  const me = await whoAmI(directory);
  const whose = owned.kind === "users" ? owned.id : me.id;
  const effective = (await directory.get(`/api/users/${whose}/effective-constraints`)) as Effective;
  // A group's constraints are looked at as they hold for a member of this group alone.
  const constraints =
    owned.kind === "users"
      ? effective.constraints
      : ((await directory.get(`/api/groups/${owned.id}/constraints`)) as readonly OwnedConstraint[]);
  const subject = { id: 0 as UserId, login: "", role: "user", active: true } as const;
  const at = new Date().toISOString();
  const ids = new Set(made.map(({ id }) => id));
  return warningsOf(effectiveConstraints({ subject, constraints, baseline: effective.baseline, at }))
    .filter((warning) => warning.constraints.some(({ id }) => ids.has(id)))
    .map(warningText);
}

function warningText({ warning, kind, constraints }: Warning): string {
  const ids = constraints.map(({ id }) => id).join(", ");
  switch (warning) {
    case "empty":
      return `constraints ${ids} together leave nothing of ${kind}`;
    case "ungranted":
      return `a limit on ${kind} (${ids}) permits none: it narrows what is granted, and nothing is; --effect grant permits some`;
    case "pointless":
      return `constraint ${ids} changes nothing: the baseline or other constraints already say so`;
  }
}
