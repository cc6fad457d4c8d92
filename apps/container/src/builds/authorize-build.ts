import { parseNetworkMode } from "../engine/network-mode.ts";
import { namesOfOthers } from "../networks/network-table.ts";
import {
  assertBuildAllowed,
  assertBuildStillAllowed,
  type BuildWish,
  type DecidedLimits,
  decidedBuild,
} from "../policy/builds.ts";
import { holdQuotas, sharedUses } from "../policy/shared-quotas.ts";
import type { Build, WorkContext } from "./work-context.ts";

/** The networks of others that the build joins, as constraints name them. */
function foreignNetworks({ sources }: WorkContext, { rights: { actor }, request }: Build): readonly string[] {
  const parsed = parseNetworkMode(request.networkMode);
  if (parsed.kind !== "user") return [];
  return namesOfOthers([sources.networks.get(parsed.name, actor)], actor.id);
}

function wishOf(context: WorkContext, build: Build): BuildWish {
  const { networkMode, resources } = build.request;
  return { networkMode, networks: foreignNetworks(context, build), ...resources };
}

/**
 * Decides on a build beside what its owner has now, and gives it its limits. Throws `forbidden` with the whole explanation, and `full`
 * for a user while the disk is down to its reserve.
 */
export async function authorizeBuild(context: WorkContext, build: Build): Promise<DecidedLimits> {
  const { actor } = build.rights;
  const wish = wishOf(context, build);
  if (actor.kind !== "user")
    return assertBuildAllowed(actor, wish, { others: [], shared: [], storage: 0, host: context.host });
  await context.imageContext.quota.free();
  const everything = [...context.containers(), ...context.held.all()];
  return assertBuildAllowed(actor, wish, {
    others: everything.filter(({ owner }) => owner === actor.id),
    shared: await sharedUses(actor, everything),
    storage: context.storageOf(actor.id),
    host: context.host,
  });
}

/**
 * Decides on a user's build whose turn has come, and counts it against its owner's quotas until `use` settles. From then on it needs its
 * network and limits to stay allowed.
 */
export async function holdingQuotas<T>(
  context: WorkContext,
  build: Build,
  use: (limits: DecidedLimits) => Promise<T>,
): Promise<T> {
  const { id, rights, request } = build;
  const { actor } = rights;
  const limits = await holdQuotas(context.owners, actor, actor.id, async () => {
    const decided = await authorizeBuild(context, build);
    if (actor.kind === "user")
      context.held.hold(id, {
        ...decidedBuild({ networkMode: request.networkMode, ulimits: request.resources.ulimits }, decided),
        owner: actor.id,
      });
    return decided;
  });
  try {
    const wish = wishOf(context, build);
    rights.need((now) => assertBuildStillAllowed(now, wish, { limits, host: context.host }));
    return await use(limits);
  } finally {
    context.held.release(id);
  }
}
