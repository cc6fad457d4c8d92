import { sharedContainer } from "../../../engine/network-mode.ts";
import type { CreateToCheck, Rule } from "./rule.ts";

/** What the network mode rules out (moby `validateNetMode`). */
export const NETWORK_RULES: readonly Rule[] = [
  ({ hostConfig: { NetworkMode } }) =>
    /^container:?$/.test(NetworkMode)
      ? "invalid network mode: invalid container format container:<name|id>"
      : undefined,
  ...(
    [
      [({ config }) => config.Hostname !== "", "conflicting options: hostname and the network mode"],
      [
        ({ hostConfig }) => (hostConfig.Links ?? []).length > 0,
        "conflicting options: container type network can't be used with links. This would result in undefined behavior",
      ],
      [({ hostConfig }) => hostConfig.Dns.length > 0, "conflicting options: dns and the network mode"],
      [
        ({ hostConfig }) => (hostConfig.ExtraHosts ?? []).length > 0,
        "conflicting options: custom host-to-IP mapping and the network mode",
      ],
      [
        ({ hostConfig }) => hostConfig.PublishAllPorts || Object.keys(hostConfig.PortBindings ?? {}).length > 0,
        "conflicting options: port publishing and the container type network mode",
      ],
      [
        ({ config }) => Object.keys(config.ExposedPorts ?? {}).length > 0,
        "conflicting options: port exposing and the container type network mode",
      ],
    ] as readonly (readonly [(request: CreateToCheck) => boolean, string])[]
  ).map(
    ([conflicts, message]): Rule =>
      (request) =>
        sharedContainer(request.hostConfig.NetworkMode) !== undefined && conflicts(request) ? message : undefined,
  ),
  ({ config, hostConfig }) =>
    hostConfig.UTSMode === "host" && config.Hostname !== ""
      ? "conflicting options: hostname and the UTS mode"
      : undefined,
  ({ hostConfig }) =>
    hostConfig.NetworkMode === "host" && (hostConfig.Links ?? []).length > 0
      ? "conflicting options: host type networking can't be used with links. This would result in undefined behavior"
      : undefined,
];
