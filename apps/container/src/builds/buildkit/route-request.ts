import type { Readable } from "node:stream";
import type { Exporter__Output as Exporter } from "../../../protos/types/buildkit/moby/buildkit/v1/Exporter.d.ts";
import type { SolveRequest__Output as SolveRequest } from "../../../protos/types/buildkit/moby/buildkit/v1/SolveRequest.d.ts";
import { EngineError } from "../../engine/errors.ts";
import type { BuildRequest } from "../builds.ts";

/** What `POST /build?version=2` asks for, decoded. */
export interface RouteBuild extends Omit<BuildRequest, "context"> {
  /** "" for the request's body, `client-session` for the client's files, `upload-request` for another request's body, or a URL. */
  readonly remote: string;
  /** The client's session; "" for none. */
  readonly session: string;
  readonly outputs: readonly { readonly type: string; readonly attributes: Readonly<Record<string, string>> }[];
  readonly body: Readable;
}

/** The network modes that BuildKit has. */
const NETWORKS: ReadonlySet<string> = new Set(["default", "host", "none"]);

/** `name=address,…`, as the Dockerfile's frontend takes them. Throws `invalid`, and `unsupported` for the gateway. */
function hostsOf(entries: readonly string[]): string {
  return entries
    .map((entry) => {
      const [, name = "", address = ""] = /^([^:=\s]+)[:=]([0-9a-fA-F.:]+|host-gateway)$/.exec(entry) ?? [];
      if (name === "")
        throw new EngineError("invalid", `bad format for add-host: ${JSON.stringify(entry.slice(0, 200))}`);
      if (address === "host-gateway")
        throw new EngineError("unsupported", "extrahosts: BuildKit has no host-gateway; name the address");
      return `${name}=${address}`;
    })
    .join(",");
}

/** What BuildKit's steps cannot have: dockerd drops it. Throws `unsupported`. */
function refuseLimits({ resources, networkMode }: RouteBuild): void {
  const { shmSize: _, ulimits: __, ...limits } = resources;
  for (const [name, value] of Object.entries(limits))
    if (value !== 0 && value !== "")
      throw new EngineError(
        "unsupported",
        `${name.toLowerCase()}: BuildKit's steps have the limits of the engine that runs it; leave it out, or set DOCKER_BUILDKIT=0`,
      );
  if (!NETWORKS.has(networkMode))
    throw new EngineError("invalid", `network mode ${JSON.stringify(networkMode)} not supported by buildkit`);
}

function attributesOf(asked: RouteBuild, context: string): Record<string, string> {
  const { args, labels, cacheFrom, networkMode, extraHosts } = asked;
  const { shmSize, ulimits } = asked.resources;
  const attributes: Record<string, string> = {
    "image-resolve-mode": asked.pull === "always" ? "pull" : "default",
    ...(context === "" ? {} : { context }),
    ...(asked.target === "" ? {} : { target: asked.target }),
    ...(asked.dockerfile === "" ? {} : { filename: asked.dockerfile }),
    ...(asked.cache === "ignore" ? { "no-cache": "" } : {}),
    ...(asked.platform === "" ? {} : { platform: asked.platform }),
    ...(networkMode === "default" ? {} : { "force-network-mode": networkMode }),
    ...(cacheFrom.length === 0 ? {} : { "cache-from": cacheFrom.join(",") }),
    ...(extraHosts.length === 0 ? {} : { "add-hosts": hostsOf(extraHosts) }),
    ...(shmSize === 0 ? {} : { "shm-size": String(shmSize) }),
    ...(ulimits.length === 0
      ? {}
      : { ulimit: ulimits.map(({ Name, Soft, Hard }) => `${Name}=${Soft}:${Hard}`).join(",") }),
  };
  for (const [name, value] of Object.entries(args)) if (value !== null) attributes[`build-arg:${name}`] = value;
  for (const [name, value] of Object.entries(labels)) attributes[`label:${name}`] = value;
  return attributes;
}

function exportersOf({ outputs, tags }: RouteBuild): Exporter[] {
  if (outputs.length > 1) throw new EngineError("invalid", "multiple outputs not supported");
  const { type, attributes } = outputs[0] ?? { type: "moby", attributes: {} };
  if (type === "cacheonly") return [];
  const isImage = type === "moby" || type === "image";
  return [{ Type: type, Attrs: isImage && tags.length > 0 ? { ...attributes, name: tags.join(",") } : attributes }];
}

/**
 * What a client of the route asks BuildKit for (moby `builder-next`). Throws `invalid` and `unsupported`.
 *
 * @param context the URL of the context; "" for the session's files
 */
export function solveRequestOf(
  asked: RouteBuild,
  { ref, session, context }: { readonly ref: string; readonly session: string; readonly context: string },
): SolveRequest {
  refuseLimits(asked);
  const isInline = /^(?:1|t|true)$/i.test(asked.args.BUILDKIT_INLINE_CACHE ?? "");
  return {
    Ref: ref,
    Session: session,
    Frontend: "dockerfile.v0",
    FrontendAttrs: attributesOf(asked, context),
    Exporters: exportersOf(asked),
    ...(isInline ? { Cache: { Exports: [{ Type: "inline" }] } } : {}),
    ...(asked.networkMode === "host" ? { Entitlements: ["network.host"] } : {}),
  };
}
