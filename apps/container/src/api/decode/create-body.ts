import type { ExposedPorts } from "@berth/port-spec";
import { omitUndefined } from "@berth/service-kit/omit-undefined";
import { z } from "zod";
import type { ContainerConfig, CreateRequest, HostConfig } from "../../containers/records/config.ts";
import { EngineError } from "../../engine/errors.ts";
import { MOST_EXPOSED_PORTS } from "../../engine/exposed-ports.ts";
import type { EndpointRequest } from "../../networks/networks.ts";
import {
  goBool,
  goInt,
  goPortSet,
  goSet,
  goString,
  goStringMap,
  goStrings,
  goStruct,
  goStructMap,
  goWords,
  or,
} from "../go-json/go-json.ts";
import { parseValue } from "../go-json/json-body.ts";
import { endpointSettings } from "./endpoint-body.ts";
import { hostConfig } from "./host-config-body.ts";

/** A range such as `8080-8081/udp`, as compose sends it, is each of its ports. What is no range is left to the rules. */
function eachPort(ports: Readonly<Record<string, unknown>>, context: z.RefinementCtx): ExposedPorts {
  const exposed: Record<string, object> = {};
  let count = 0;
  for (const key of Object.keys(ports)) {
    const [, start, end, protocol = ""] = /^(\d{1,5})-(\d{1,5})(\/\w+)?$/.exec(key) ?? [];
    const [first, last] = [Number(start), Number(end)];
    const isRange = first > 0 && first <= last && last <= 65_535;
    count += isRange ? last - first + 1 : 1;
    if (count > MOST_EXPOSED_PORTS) {
      context.addIssue({ code: "custom", message: `more than ${MOST_EXPOSED_PORTS} ports` });
      return z.NEVER;
    }
    if (!isRange) exposed[key] = {};
    else for (let port = first; port <= last; port++) exposed[`${port}${protocol}`] = {};
  }
  return exposed as ExposedPorts;
}

const healthcheck = goStruct("container.HealthConfig", {
  Test: goStrings.optional(),
  Interval: goInt.optional(),
  Timeout: goInt.optional(),
  StartPeriod: goInt.optional(),
  StartInterval: goInt.optional(),
  Retries: goInt.optional(),
}).transform((health) => omitUndefined(health));

/** The `Config` part, shared with commit. */
export const containerConfig: z.ZodType<ContainerConfig> = goStruct("runconfig.ContainerConfigWrapper", {
  Hostname: or(goString, ""),
  Domainname: or(goString, ""),
  User: or(goString, ""),
  AttachStdin: or(goBool, false),
  AttachStdout: or(goBool, false),
  AttachStderr: or(goBool, false),
  ExposedPorts: goPortSet.transform(eachPort).optional(),
  Tty: or(goBool, false),
  OpenStdin: or(goBool, false),
  StdinOnce: or(goBool, false),
  Env: or(goStrings, []),
  Cmd: or(goWords, null),
  ArgsEscaped: goBool.optional(),
  Healthcheck: healthcheck.optional(),
  Image: or(goString, ""),
  Volumes: or(goSet, null),
  WorkingDir: or(goString, ""),
  Entrypoint: or(goWords, null),
  NetworkDisabled: goBool.optional(),
  MacAddress: goString.optional(),
  OnBuild: or(goStrings, null),
  Labels: or(goStringMap, {}),
  StopSignal: goString.optional(),
  StopTimeout: goInt.optional(),
  Shell: goWords.optional(),
}).transform((config): ContainerConfig => omitUndefined(config));

/** The other fields of the body. The last six come from clients before API 1.18. */
const besideConfig = goStruct("runconfig.ContainerConfigWrapper", {
  HostConfig: hostConfig.optional(),
  NetworkingConfig: goStruct("network.NetworkingConfig", {
    EndpointsConfig: or(goStructMap("EndpointSettings", endpointSettings), {}),
  }).optional(),
  PortSpecs: goStrings.optional(),
  Memory: or(goInt, 0),
  MemorySwap: or(goInt, 0),
  CpuShares: or(goInt, 0),
  CpusetCpus: or(goString, ""),
  Cpuset: or(goString, ""),
  VolumeDriver: or(goString, ""),
});

/** The body's HostConfig, completed by legacy top-level fields; without a HostConfig, the whole body read as one. */
function hostConfigOf(body: unknown, around: z.output<typeof besideConfig>): HostConfig {
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

/**
 * Decodes the body of `POST /containers/create`. Checks only types; defaults, rules and ports belong to the use case.
 * Throws `invalid` with Go's message for a wrong type.
 */
export function decodeCreateBody(
  body: unknown,
): Pick<CreateRequest, "config" | "hostConfig" | "endpoints" | "portSpecs"> {
  if (body === null || (typeof body === "object" && !Array.isArray(body) && Object.keys(body).length === 0)) {
    throw new EngineError("invalid", "config cannot be empty in order to create a container");
  }
  const config = parseValue(containerConfig, body);
  const around = parseValue(besideConfig, body);
  const endpoints: Readonly<Record<string, EndpointRequest>> = around.NetworkingConfig?.EndpointsConfig ?? {};
  return { config, hostConfig: hostConfigOf(body, around), endpoints, portSpecs: around.PortSpecs };
}
