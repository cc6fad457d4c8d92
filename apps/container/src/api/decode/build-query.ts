import { omitUndefined } from "@berth/service-kit/omit-undefined";
import { z } from "zod";
import type { RouteBuild } from "../../builds/buildkit/route-request.ts";
import type { BuildRequest, BuildResources } from "../../builds/builds.ts";
import { EngineError } from "../../engine/errors.ts";
import type { RegistryAuth } from "../../images/images.ts";
import { goList, goNullableStringMap, goStringMap, goStrings, goStructMap } from "../go-json/go-json.ts";
import { parseJson, parseValue } from "../go-json/json-body.ts";
import { flag, parseQuery, text, wholeNumber } from "./query.ts";
import { authConfig } from "./registry-auth.ts";
import { ulimit } from "./resources-body.ts";

function size(): z.ZodType<number> {
  return wholeNumber().transform((value) => value ?? 0);
}

const query = z.object({
  buildargs: text(),
  buildid: text(),
  cachefrom: text(),
  cgroupparent: text(),
  cpuperiod: size(),
  cpuquota: size(),
  cpusetcpus: text(),
  cpusetmems: text(),
  cpushares: size(),
  dockerfile: text(),
  isolation: text(),
  labels: text(),
  memory: size(),
  memswap: size(),
  networkmode: text(),
  nocache: flag(),
  outputs: text(),
  platform: text(),
  pull: flag(),
  q: flag(),
  remote: text(),
  session: text(),
  shmsize: size(),
  squash: flag(),
  target: text(),
  ulimits: text(),
  version: text(),
});

type Query = z.infer<typeof query>;

/** A JSON value of a query parameter; `empty` for none. Throws `invalid` with the parameter's name. */
function jsonOf<T>(name: string, value: string, schema: z.ZodType<T>, empty: T): T {
  if (value === "") return empty;
  try {
    return parseValue(schema, parseJson(Buffer.from(value))) ?? empty;
  } catch (thrown) {
    if (!(thrown instanceof EngineError)) throw thrown;
    throw new EngineError("invalid", `query parameter ${name}: ${thrown.message}`, { cause: thrown });
  }
}

/** What no builder of Berth does. Throws, naming the parameter and what to do instead. */
function refuseUnsupported(asked: Query, securityOptions: readonly string[]): void {
  if (!["", "1", "2"].includes(asked.version))
    throw new EngineError("invalid", `invalid builder version ${JSON.stringify(asked.version)}: want 1 or 2`);
  if (asked.squash) throw new EngineError("invalid", "squash is only supported with experimental mode");
  if (securityOptions.length > 0)
    throw new EngineError("invalid", "The daemon on this platform does not support setting security options on build");
  if (asked.isolation !== "" && asked.isolation !== "default")
    throw new EngineError("invalid", `Unsupported isolation: ${JSON.stringify(asked.isolation)}`);
  if (asked.cgroupparent !== "")
    throw new EngineError("unsupported", "cgroupparent is not supported: a build has a control group of its own");
}

const attributes = z.record(z.string(), z.string()).nullable();
const output = z.looseObject({
  Type: z.string().optional(),
  type: z.string().optional(),
  Attrs: attributes.optional(),
  attrs: attributes.optional(),
});

function outputsOf(value: string): RouteBuild["outputs"] {
  const found = jsonOf("outputs", value, z.array(output).nullable(), []) ?? [];
  return found.map(({ Type, type, Attrs, attrs }) => ({
    type: Type ?? type ?? "image",
    attributes: Attrs ?? attrs ?? {},
  }));
}

function refuseFiles(outputs: RouteBuild["outputs"]): void {
  for (const { type } of outputs)
    if (!["moby", "docker", "image"].includes(type))
      throw new EngineError(
        "unsupported",
        `outputs: ${type} needs BuildKit; a build here makes an image of the engine`,
      );
}

function resourcesOf(asked: Query): BuildResources {
  return {
    shmSize: asked.shmsize,
    memory: asked.memory,
    memorySwap: asked.memswap,
    cpuShares: asked.cpushares,
    cpuQuota: asked.cpuquota,
    cpuPeriod: asked.cpuperiod,
    cpusetCpus: asked.cpusetcpus,
    cpusetMems: asked.cpusetmems,
    ulimits: jsonOf("ulimits", asked.ulimits, goList("Ulimit", ulimit), []),
  };
}

const NAME = /^[^\s=,]+$/;

function assertPlain(asked: Query, { labels, args }: Pick<BuildRequest, "labels" | "args">): void {
  for (const name of Object.keys(args))
    if (!NAME.test(name))
      throw new EngineError("invalid", `query parameter buildargs: ${JSON.stringify(name)} is no name`);
  for (const name of Object.keys(labels))
    if (name === "" || name.includes("="))
      throw new EngineError("invalid", `query parameter labels: ${JSON.stringify(name)} is no name`);
  for (const [name, value] of [
    ["cpusetcpus", asked.cpusetcpus],
    ["cpusetmems", asked.cpusetmems],
  ] as const)
    if (!/^[0-9,-]*$/.test(value))
      throw new EngineError("invalid", `query parameter ${name}: want a list such as 0-3 or 0,1`);
  for (const [name, value] of [
    ["memory", asked.memory],
    ["shmsize", asked.shmsize],
    ["cpuperiod", asked.cpuperiod],
    ["cpushares", asked.cpushares],
  ] as const)
    if (value < 0) throw new EngineError("invalid", `query parameter ${name}: ${value} is negative`);
}

/** Decodes `POST /build`, but for the context's body. Throws EngineError; what cannot be done is refused, never dropped. */
export function parseBuildQuery(
  params: Readonly<Record<string, string>>,
  lists: Readonly<Record<"t" | "extrahosts" | "securityopt", readonly string[]>>,
): Omit<RouteBuild, "auths" | "body"> & { readonly builder: "classic" | "buildkit" } {
  const asked = parseQuery(query, params);
  refuseUnsupported(
    asked,
    lists.securityopt.filter((option) => option !== ""),
  );
  const builder = asked.version === "2" ? "buildkit" : "classic";
  const outputs = outputsOf(asked.outputs);
  if (builder === "classic") refuseFiles(outputs);
  const args = jsonOf("buildargs", asked.buildargs, goNullableStringMap, {});
  const labels = jsonOf("labels", asked.labels, goStringMap, {});
  assertPlain(asked, { args, labels });
  return {
    builder,
    session: asked.session,
    outputs,
    buildId: asked.buildid,
    remote: asked.remote,
    dockerfile: asked.dockerfile,
    tags: lists.t.filter((tag) => tag !== ""),
    args,
    labels,
    target: asked.target,
    cache: asked.nocache ? "ignore" : "use",
    cacheFrom: jsonOf("cachefrom", asked.cachefrom, goStrings, []),
    pull: asked.pull ? "always" : "missing",
    output: asked.q ? "id" : "all",
    platform: asked.platform.toLowerCase(),
    networkMode: asked.networkmode === "" ? "default" : asked.networkmode,
    extraHosts: lists.extrahosts,
    resources: resourcesOf(asked),
  };
}

const registryConfig = goStructMap("types.AuthConfig", authConfig);

/** The credentials by registry in `X-Registry-Config` (base64). Absent and malformed values mean no login, as in dockerd. */
export function parseRegistryConfig(header: string | undefined): Readonly<Record<string, RegistryAuth>> {
  if (header === undefined || header === "") return {};
  try {
    const parsed = registryConfig.safeParse(parseJson(Buffer.from(header, "base64url")));
    return parsed.success ? omitUndefined(parsed.data) : {};
  } catch {
    return {};
  }
}
