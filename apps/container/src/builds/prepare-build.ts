import { EngineError } from "../engine/errors.ts";
import { isHostOnly } from "../engine/host-addresses.ts";
import { parseReference, type Reference, referenceMessage, withDefaultTag } from "../images/reference/reference.ts";
import { assertBuildAllowed, assertSourceAllowed, type DecidedLimits } from "../policy/builds.ts";
import { takeDockerfile, unpackContext } from "./context/context.ts";
import { parseRemote, type RemoteContext } from "./context/remote-url.ts";
import { parseDockerfile } from "./dockerfile/parse.ts";
import { type BuildPlan, planBuild } from "./dockerfile/plan.ts";
import { assertNetwork } from "./network.ts";
import type { Build, WorkContext } from "./work-context.ts";

/** What was found out before the stream begins. */
export interface PreparedBuild {
  readonly tags: readonly Reference[];
  readonly limits: DecidedLimits;
  /** A remote context is fetched over the build's network, once it has one. */
  readonly source:
    | { readonly kind: "here"; readonly plan: BuildPlan }
    | { readonly kind: "remote"; readonly remote: RemoteContext };
}

function tagOf(text: string): Reference {
  const parsed = parseReference(text);
  if (!parsed.ok)
    throw new EngineError(
      "invalid",
      `invalid argument ${JSON.stringify(text.slice(0, 200))} for "t": ${referenceMessage(parsed.error)}`,
    );
  if (parsed.value.digest !== undefined)
    throw new EngineError(
      "invalid",
      `invalid argument ${JSON.stringify(text)} for "t": a build cannot be named by a digest`,
    );
  return withDefaultTag(parsed.value);
}

/** Reads the context, decides on the build, and plans it. Throws EngineError. */
export async function prepareBuild(context: WorkContext, build: Build): Promise<PreparedBuild> {
  const { actor, request, folders } = build;
  const tags = request.tags.map(tagOf);
  assertNetwork(context.sources, actor, request.networkMode);
  const limits = assertBuildAllowed(
    actor,
    { networkMode: request.networkMode, ...request.resources },
    { ...(await usageOf(context, build)), host: context.host },
  );
  if (request.context.kind === "remote") {
    const remote = parseRemote(request.context.url);
    if (!remote.ok) throw new EngineError("invalid", remote.error);
    assertSourceAllowed(actor, remote.value.url, isHostOnlyUrl(remote.value.url));
    return { tags, limits, source: { kind: "remote", remote: remote.value } };
  }
  await unpackContext(context.files, folders.context, { archive: request.context.archive, left: limits.storage });
  return { tags, limits, source: { kind: "here", plan: await planContext(build, folders.context) } };
}

/** Reads the context's Dockerfile and plans the build. Throws EngineError. */
export async function planContext({ actor, request }: Build, folder: string): Promise<BuildPlan> {
  const parsed = parseDockerfile(await takeDockerfile(folder, request.dockerfile));
  const planned = parsed.ok ? planBuild(parsed.value, request) : parsed;
  if (!planned.ok) throw new EngineError("invalid", planned.error);
  for (const url of planned.value.urls) assertSourceAllowed(actor, url, isHostOnlyUrl(url));
  return planned.value;
}

/** What the build's owner has already. */
async function usageOf({ builder, containersOf, storageOf }: WorkContext, { actor, folders }: Build) {
  if (actor.id === undefined) return { others: [], storage: 0 };
  const cached = (await builder.entries(folders.cache)).reduce((sum, { size }) => sum + size, 0);
  return { others: containersOf(actor.id), storage: storageOf(actor.id) + cached };
}

function isHostOnlyUrl(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host === "localhost" || host.endsWith(".localhost") || isHostOnly(host);
}
