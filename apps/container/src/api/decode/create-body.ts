import type { ExposedPorts } from "@berth/port-spec";
import type { z } from "zod";
import { discardLimits, type Limit } from "../../containers/create/discard-limits.ts";
import { refusalOfCreate } from "../../containers/create/validate-create.ts";
import { type Processors, warningsOfResources } from "../../containers/create/validate-resources.ts";
import type { ContainerConfig, CreateRequest, HostConfig } from "../../containers/records/config.ts";
import { EngineError } from "../../engine/errors.ts";
import type { EndpointRequest } from "../../networks/networks.ts";
import { goBool, goInt, goList, goMap, goPortSet, goSet, goString, goStruct, goWords, or } from "../go-json/go-json.ts";
import { parseValue } from "../go-json/json-body.ts";
import { type ApiVersion, SINCE } from "../versions/version.ts";
import { endpointSettings } from "./endpoint-body.ts";
import { hostConfig, withoutUndefined } from "./host-config-body.ts";

const strings = goList("string", goString);

const healthcheck = goStruct("container.HealthConfig", {
  Test: strings.optional(),
  Interval: goInt.optional(),
  Timeout: goInt.optional(),
  StartPeriod: goInt.optional(),
  StartInterval: goInt.optional(),
  Retries: goInt.optional(),
}).transform((health) => withoutUndefined(health));

/** The `Config` part; commit takes the same. */
export const containerConfig: z.ZodType<ContainerConfig> = goStruct("runconfig.ContainerConfigWrapper", {
  Hostname: or(goString, ""),
  Domainname: or(goString, ""),
  User: or(goString, ""),
  AttachStdin: or(goBool, false),
  AttachStdout: or(goBool, false),
  AttachStderr: or(goBool, false),
  ExposedPorts: (goPortSet as z.ZodType<ExposedPorts>).optional(),
  Tty: or(goBool, false),
  OpenStdin: or(goBool, false),
  StdinOnce: or(goBool, false),
  Env: or(strings, []),
  Cmd: or(goWords, null),
  Healthcheck: healthcheck.optional(),
  Image: or(goString, ""),
  Volumes: or(goSet, null),
  WorkingDir: or(goString, ""),
  Entrypoint: or(goWords, null),
  NetworkDisabled: goBool.optional(),
  MacAddress: goString.optional(),
  OnBuild: or(strings, null),
  Labels: or(goMap("string", goString), {}),
  StopSignal: goString.optional(),
  StopTimeout: goInt.optional(),
  Shell: goWords.optional(),
}).transform((config): ContainerConfig => withoutUndefined(config));

/** What stands beside `Config` in the body. The last six are of clients before API 1.18. */
const surroundings = goStruct("runconfig.ContainerConfigWrapper", {
  HostConfig: hostConfig.optional(),
  NetworkingConfig: goStruct("network.NetworkingConfig", {
    EndpointsConfig: or(goMap("EndpointSettings", endpointSettings), {}),
  }).optional(),
  PortSpecs: strings.optional(),
  Memory: or(goInt, 0),
  MemorySwap: or(goInt, 0),
  CpuShares: or(goInt, 0),
  CpusetCpus: or(goString, ""),
  Cpuset: or(goString, ""),
  VolumeDriver: or(goString, ""),
});

/** The body's own HostConfig, with old top-level fields where it names none; without one, the whole body read as one. */
function hostConfigOf(body: unknown, around: z.output<typeof surroundings>): HostConfig {
  const host = around.HostConfig ?? parseValue(hostConfig, body);
  return {
    ...host,
    Memory: host.Memory || around.Memory,
    MemorySwap: host.MemorySwap || around.MemorySwap,
    CpuShares: host.CpuShares || around.CpuShares,
    CpusetCpus: host.CpusetCpus || around.CpusetCpus || around.Cpuset,
    VolumeDriver: host.VolumeDriver || around.VolumeDriver,
  };
}

/** What the version of the request changes in dockerd 20.10's defaults. */
function byVersion(host: HostConfig, version: ApiVersion, cgroupVersion: "1" | "2"): HostConfig {
  return {
    ...host,
    // Older clients remove the container themselves.
    AutoRemove: version >= SINCE.autoRemove && host.AutoRemove,
    IpcMode: host.IpcMode || (version >= SINCE.privateIpcDefault ? "private" : "shareable"),
    CgroupnsMode: host.CgroupnsMode || (cgroupVersion === "2" ? "private" : "host"),
    ...(host.Mounts !== undefined &&
      version < SINCE.nonRecursiveBinds && {
        Mounts: host.Mounts.map(({ BindOptions, ...mount }) =>
          BindOptions === undefined ? mount : { ...mount, BindOptions: { ...BindOptions, NonRecursive: false } },
        ),
      }),
  };
}

/**
 * Reads the body of `POST /containers/create`. Throws `invalid` where a type is wrong or a rule of `validate-create.ts`
 * refuses; ports are the use case's to judge.
 */
export function parseCreateRequest(
  body: unknown,
  {
    name,
    platform,
    version,
    host: machine,
  }: Pick<CreateRequest, "name" | "platform"> & {
    readonly version: ApiVersion;
    readonly host: Processors & { readonly cgroupVersion: "1" | "2"; readonly limits: ReadonlySet<Limit> };
  },
): CreateRequest {
  if (body === null || (typeof body === "object" && !Array.isArray(body) && Object.keys(body).length === 0)) {
    throw new EngineError("invalid", "Config cannot be empty in order to create a container");
  }
  const config = parseValue(containerConfig, body);
  const around = parseValue(surroundings, body);
  const asked = byVersion(hostConfigOf(body, around), version, machine.cgroupVersion);
  const { resources: host, warnings } = discardLimits(asked, machine.limits);
  const endpoints: Readonly<Record<string, EndpointRequest>> = around.NetworkingConfig?.EndpointsConfig ?? {};
  const request = { name, platform, config, hostConfig: host, endpoints, portSpecs: around.PortSpecs };
  const refusal = refusalOfCreate(request, machine);
  if (refusal !== undefined) throw new EngineError("invalid", refusal);
  return { ...request, warnings: [...warnings, ...warningsOfResources(host)] };
}
