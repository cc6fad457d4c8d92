import { BASELINES, type Baseline, type OwnedConstraint, RESOURCES } from "@berth/directory-domain";
import type { Argv } from "yargs";
import type { Context } from "./context.ts";
import { whoAmI } from "./names.ts";
import { describeConstraint } from "./phrases.ts";

/** A baseline as constraints would say it, for people: `ports 1024-65535; … quota containers=20`. */
export function describeBaseline(baseline: Baseline): string {
  return rulesOf(baseline)
    .map(([, text]) => text)
    .join("; ");
}

/** What a baseline says of each kind, by the kind's name. */
function rulesOf(baseline: Baseline): readonly (readonly [kind: string, text: string])[] {
  const quotas = RESOURCES.flatMap((resource) => {
    const max = baseline.quotas[resource];
    return max === undefined ? [] : [{ kind: "quota", resource, max }];
  });
  const rules = [
    { kind: "host-ports", ports: baseline.hostPorts },
    { kind: "host-interfaces", addresses: baseline.hostInterfaces },
    { kind: "images", patterns: baseline.images },
    { kind: "mounts", folders: baseline.mounts },
    { kind: "privileges", privileges: baseline.privileges },
    { kind: "networks", names: baseline.networks },
    { kind: "subnets", subnets: baseline.subnets },
    ...quotas,
  ];
  return rules.map((rule) => [rule.kind, describeConstraint(rule as OwnedConstraint)] as const);
}

export function baselinesCommand(y: Argv, { api, show, terminal }: Context): Argv {
  return y.command(
    "baselines",
    "Show what users may do without any constraint, under each baseline",
    {},
    async (args) => {
      const directory = await api();
      const path = `/api/users/${(await whoAmI(directory)).id}/effective-constraints`;
      const inForce = JSON.stringify(((await directory.get(path)) as { baseline: Baseline }).baseline);
      const baselines = Object.entries(BASELINES).map(([name, baseline]: readonly [string, Baseline]) => ({
        name,
        inForce: JSON.stringify(baseline) === inForce,
        baseline,
      }));
      if (args.json === true) return show(args, baselines, []);
      for (const { name, inForce: isInForce, baseline } of baselines) {
        terminal.write(`${name}${isInForce ? " (in force)" : ""}\n`);
        for (const [, text] of rulesOf(baseline)) terminal.write(`  ${text}\n`);
      }
      terminal.complain("BERTH_POLICY_DEFAULT of the directory chooses one. What is not listed has no quota.\n");
    },
  );
}
