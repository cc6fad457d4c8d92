import type { CacheOptions__Output as CacheOptions } from "../../../protos/types/buildkit/moby/buildkit/v1/CacheOptions.d.ts";
import type { SolveRequest__Output as FrontendSolveRequest } from "../../../protos/types/buildkit/moby/buildkit/v1/frontend/SolveRequest.d.ts";
import type { SolveRequest__Output as SolveRequest } from "../../../protos/types/buildkit/moby/buildkit/v1/SolveRequest.d.ts";
import type { Definition__Output as Definition } from "../../../protos/types/buildkit/pb/Definition.d.ts";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { formatReference, parseReference, withDefaultTag } from "../../images/reference/reference.ts";
import { denied } from "../../policy/assert-allowed.ts";
import { mayReachHost } from "../../policy/containers.ts";
import { decode } from "./protos.ts";
import { doorConversions, sourcePolicy } from "./source-policy.ts";

type Attributes = Readonly<Record<string, string>>;

/** Exporters whose result becomes an image here. */
const IMAGE_EXPORTERS: ReadonlySet<string> = new Set(["image", "moby"]);

/** Exporters that send files to the client. */
const FILE_EXPORTERS: ReadonlySet<string> = new Set(["local", "tar", "oci", "docker"]);

/** What of an image exporter's attributes tells how the image is written, as against where it goes. */
const IMAGE_ATTRIBUTE =
  /^(?:annotation(?:-|\.|\[).*|compression|compression-level|force-compression|oci-mediatypes|oci-artifact|rewrite-timestamp|source-date-epoch|prefer-nondist-layers|buildinfo(?:-attrs)?)$/;

/** Attributes that say what happens here anyway, or what has no meaning without BuildKit's own image store. */
const IGNORED_ATTRIBUTES: ReadonlySet<string> = new Set([
  "name",
  "unpack",
  "store",
  "name-canonical",
  "dangling-name-prefix",
  "danging-name-empty-only",
  "prefer-image-digest",
  "attestation-inline",
]);

/** buildx asks for it unless told otherwise: it would make each image an index that is another at each build. */
const DEFAULT_PROVENANCE = /(?:^|,)inline-only=true(?:,|$)/;

/** A build as Berth lets it run. */
export interface DecidedSolve {
  readonly request: SolveRequest;
  /** The names of the image; undefined if the result is none. */
  readonly image: { readonly names: readonly string[] } | undefined;
}

function unsupported(message: string): EngineError {
  return new EngineError("unsupported", message);
}

/** The name under which the door has an image. Throws `invalid`. */
function doorName(door: string, name: string): string {
  const parsed = parseReference(name);
  if (!parsed.ok) throw new EngineError("invalid", `${JSON.stringify(name.slice(0, 200))} is no image's name`);
  const identifier = `docker-image://${formatReference(withDefaultTag(parsed.value))}`;
  const found = doorConversions(door).find(([pattern]) => new RegExp(pattern).test(identifier));
  if (found === undefined) throw unsupported(`${name}: BuildKit cannot reach this registry through Berth`);
  const [pattern, target] = found;
  return identifier
    .replace(new RegExp(pattern), target.replaceAll(/\$\{(\d)\}/g, "$$$1"))
    .replace("docker-image://", "");
}

/** An import of a cache: an image's comes through the door. Throws what keeps the actor from it. */
function decidedImport<T extends { readonly Type?: string; readonly Attrs?: Attributes }>(
  actor: Actor,
  door: string,
  entry: T,
): T {
  if (entry.Type === "registry")
    return {
      ...entry,
      Attrs: { ...entry.Attrs, ref: doorName(door, entry.Attrs?.ref ?? ""), "registry.insecure": "true" },
    };
  if (entry.Type !== "local" && actor.kind === "user")
    throw denied(`a cache of type ${entry.Type}: want registry or local`);
  return entry;
}

/** `cache-imports` and `cache-from` among a frontend's options, which name caches, too. */
function decidedOptions(actor: Actor, door: string, options: Attributes): Record<string, string> {
  const decided = { ...options };
  const { "cache-imports": imports, "cache-from": from } = options;
  if (imports !== undefined) {
    const entries: unknown = parseJson(imports);
    if (!Array.isArray(entries)) throw new EngineError("invalid", "cache-imports: want a list");
    decided["cache-imports"] = JSON.stringify(entries.map((entry) => decidedImport(actor, door, entry)));
  }
  if (from !== undefined && from !== "")
    decided["cache-from"] = from
      .split(",")
      .map((name) => doorName(door, name))
      .join(",");
  if (actor.kind === "user" && "cgroup-parent" in options) throw denied("cgroup-parent");
  return decided;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EngineError("invalid", "cache-imports: invalid JSON", { cause });
  }
}

/** A user's steps stay in the control group that BuildKit has. Throws `forbidden`. */
function assertDefinitionAllowed(actor: Actor, definition: Definition | null | undefined): void {
  if (actor.kind !== "user") return;
  for (const bytes of definition?.def ?? [])
    if ((decode("pb.Op", bytes).exec?.meta?.cgroupParent ?? "") !== "") throw denied("cgroup-parent");
}

/** An image has the attestations that its client asks for, without those that buildx asks for by itself. */
function withoutDefaultProvenance(options: Attributes): Record<string, string> {
  const kept = Object.entries(options).filter(
    ([name, value]) => name !== "attest:provenance" || !DEFAULT_PROVENANCE.test(value),
  );
  return Object.fromEntries(kept);
}

function imageAttributes(attributes: Attributes, door: string, result: string): Record<string, string> {
  if (attributes.push === "true" || attributes.push === "1")
    throw unsupported("push=true: build the image, then `docker push` it");
  if (attributes["push-by-digest"] === "true")
    throw unsupported("push-by-digest: build the image, then `docker push` it");
  const other = Object.keys(attributes).find(
    (name) => !IMAGE_ATTRIBUTE.test(name) && !IGNORED_ATTRIBUTES.has(name) && !/^push/.test(name),
  );
  if (other !== undefined) throw unsupported(`${other}: no such option of an image's output`);
  const written = Object.entries(attributes).filter(([name]) => IMAGE_ATTRIBUTE.test(name));
  return {
    ...Object.fromEntries(written),
    name: `${door}/${result}:latest`,
    push: "true",
    "registry.insecure": "true",
    store: "false",
    unpack: "false",
  };
}

function exportersOf(request: SolveRequest) {
  const listed = request.Exporters ?? [];
  const old = request.ExporterDeprecated ?? "";
  const all = listed.length > 0 || old === "" ? listed : [{ Type: old, Attrs: request.ExporterAttrsDeprecated ?? {} }];
  return all.filter(({ Type = "" }) => Type !== "");
}

/**
 * Decides on what a client asks BuildKit to build, and rewrites it: images come from the door and go to it, as `result`. Throws
 * `forbidden`, `unsupported` and `invalid`.
 *
 * @param context the URL of a context that Berth itself offers
 */
export function decideSolve(
  actor: Actor,
  request: SolveRequest,
  { door, result, context }: { readonly door: string; readonly result: string; readonly context?: string | undefined },
): DecidedSolve {
  const entitlements = request.Entitlements ?? [];
  if (actor.kind === "user" && entitlements.length > 0)
    throw denied(`entitlements ${entitlements.join(", ")}: a user's build has none`);
  if ((request.SourcePolicy?.rules ?? []).length > 0)
    throw unsupported("a source policy of the client: Berth sets the policy of a build");
  for (const definition of [request.Definition, ...Object.values(request.FrontendInputs ?? {})])
    assertDefinitionAllowed(actor, definition);
  const exporters = exportersOf(request);
  const unknown = exporters.find(({ Type = "" }) => !IMAGE_EXPORTERS.has(Type) && !FILE_EXPORTERS.has(Type));
  if (unknown !== undefined) throw unsupported(`output of type ${unknown.Type}: want image, docker, oci, tar or local`);
  const images = exporters.filter(({ Type = "" }) => IMAGE_EXPORTERS.has(Type));
  if (images.length > 1) throw unsupported("more than one image as output");
  const [image] = images;
  const options = decidedOptions(actor, door, request.FrontendAttrs ?? {});
  const { ExporterDeprecated: _old, ExporterAttrsDeprecated: _oldAttributes, ...rest } = request;
  const web = actor.kind === "user" && mayReachHost(actor) ? "allowed" : "denied";
  return {
    image: image && { names: (image.Attrs?.name ?? "").split(",").filter((name) => name !== "") },
    request: {
      ...rest,
      FrontendAttrs: image === undefined ? options : withoutDefaultProvenance(options),
      ...(request.Cache ? { Cache: decidedCache(actor, door, request.Cache) } : {}),
      SourcePolicy: sourcePolicy(door, actor.kind === "administrator" ? "everything" : { web, context }),
      Exporters: exporters.map((exporter) =>
        exporter === image ? { Type: "image", Attrs: imageAttributes(exporter.Attrs ?? {}, door, result) } : exporter,
      ),
    },
  };
}

function decidedCache(actor: Actor, door: string, cache: CacheOptions): CacheOptions {
  if ((cache.ExportRefDeprecated ?? "") !== "") throw unsupported("a cache's export in the form of BuildKit 0.3");
  const other = (cache.Exports ?? []).find(({ Type = "" }) => Type !== "inline" && Type !== "local");
  if (other !== undefined && actor.kind === "user")
    throw denied(`an export of the cache of type ${other.Type}: want inline or local`);
  const { ImportRefsDeprecated: old = [], ...rest } = cache;
  const imports = [...(cache.Imports ?? []), ...old.map((ref) => ({ Type: "registry", Attrs: { ref } }))];
  return { ...rest, Imports: imports.map((entry) => decidedImport(actor, door, entry)) };
}

/** Decides on what a client asks a frontend to build, within a build that was decided on. Throws as {@link decideSolve} does. */
export function decideFrontendSolve(
  actor: Actor,
  request: FrontendSolveRequest,
  { door, hasImage }: { readonly door: string; readonly hasImage: boolean },
): FrontendSolveRequest {
  for (const definition of [request.Definition, ...Object.values(request.FrontendInputs ?? {})])
    assertDefinitionAllowed(actor, definition);
  const options = decidedOptions(actor, door, request.FrontendOpt ?? {});
  return {
    ...request,
    ...(request.FrontendOpt === undefined
      ? {}
      : { FrontendOpt: hasImage ? withoutDefaultProvenance(options) : options }),
    ...(request.CacheImports === undefined
      ? {}
      : { CacheImports: request.CacheImports.map((entry) => decidedImport(actor, door, entry)) }),
  };
}
