import { createHash, type Hash } from "node:crypto";
import { addAbortSignal, Readable } from "node:stream";
import { EngineError } from "../engine/errors.ts";
import { parseReference, type Reference, referenceMessage, withDefaultTag } from "../images/reference/reference.ts";
import { assertSourceAllowed } from "../policy/builds.ts";
import { assertImageAllowed } from "../policy/images.ts";
import { authorizeBuild } from "./authorize-build.ts";
import { SCRATCH } from "./base-images.ts";
import { takeDockerfile, unpackContext } from "./context/context.ts";
import { isHostOnlyUrl } from "./context/host-only-url.ts";
import type { FetchedContext } from "./context/remote.ts";
import { parseRemote, type RemoteContext } from "./context/remote-url.ts";
import { parseDockerfile } from "./dockerfile/parse.ts";
import { type BuildPlan, planBuild } from "./dockerfile/plan.ts";
import { assertNetwork } from "./network.ts";
import type { Build, WorkContext } from "./work-context.ts";

/** What was found out before the stream begins. */
export interface PreparedBuild {
  readonly tags: readonly Reference[];
  /** A remote context is fetched over the build's network, once it has one. */
  readonly source:
    | { readonly kind: "here"; readonly plan: BuildPlan; readonly digest: string }
    | { readonly kind: "remote"; readonly remote: RemoteContext };
}

/** Reads a name for a result. Throws `invalid`. */
export function tagOf(text: string): Reference {
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
  const { rights, request, folders, signal } = build;
  const { actor } = rights;
  const tags = request.tags.map(tagOf);
  assertNetwork(context.sources, actor, request.networkMode);
  const limits = await authorizeBuild(context, build);
  if (request.context.kind === "remote") {
    const remote = parseRemote(request.context.url);
    if (!remote.ok) throw new EngineError("invalid", remote.error);
    assertSourceAllowed(actor, remote.value.url, isHostOnlyUrl(remote.value.url));
    return { tags, source: { kind: "remote", remote: remote.value } };
  }
  const hash = createHash("sha256");
  const archive = addAbortSignal(signal, Readable.from(hashed(request.context.archive, hash), { objectMode: false }));
  await unpackContext(context.files, folders.context, { archive, left: limits.storage });
  const digest = hash.digest("hex");
  return { tags, source: { kind: "here", plan: await planContext(build, { folder: folders.context }), digest } };
}

/** The bytes, of which the hash hears as they are read. */
async function* hashed(archive: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const part of archive) {
    hash.update(part);
    yield part;
  }
}

/** Reads the context's Dockerfile and plans the build. Throws EngineError. */
export async function planContext(
  { rights, request }: Build,
  { folder, dockerfile = request.dockerfile }: FetchedContext,
): Promise<BuildPlan> {
  const parsed = parseDockerfile(await takeDockerfile(folder, dockerfile));
  const planned = parsed.ok ? planBuild(parsed.value, request) : parsed;
  if (!planned.ok) throw new EngineError("invalid", planned.error);
  for (const url of planned.value.urls) assertSourceAllowed(rights.actor, url, isHostOnlyUrl(url));
  if (planned.value.fromScratch) rights.need((actor) => assertImageAllowed(actor, SCRATCH, "scratch"));
  return planned.value;
}
