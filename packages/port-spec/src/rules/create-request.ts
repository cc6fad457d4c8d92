import type { PortBinding } from "../spec/bindings.ts";

/** The fields of a HostConfig that concern ports. `null` counts as absent, as in Go. */
export interface HostPorts {
  readonly PortBindings?: Readonly<Record<string, readonly PartialBinding[] | null>> | null | undefined;
  readonly PublishAllPorts?: boolean | null | undefined;
  readonly NetworkMode?: string | null | undefined;
}

/** One entry of a request's `PortBindings`; an absent field is empty. */
export type PartialBinding = { readonly [Field in keyof PortBinding]?: string | null | undefined } | null;

/**
 * The fields of a create request that concern ports. Those of HostConfig may also stand at the top level, where they count
 * if there is no HostConfig. Read untyped JSON with `parseCreatePorts` of `@berth/port-spec/json`.
 */
export interface CreatePorts extends HostPorts {
  readonly ExposedPorts?: Readonly<Record<string, unknown>> | null | undefined;
  /** Legacy: exposes ports, never binds them. */
  readonly PortSpecs?: readonly string[] | null | undefined;
  readonly HostConfig?: HostPorts | null | undefined;
}

/** A create request in which every default is set. */
export interface NormalPorts {
  readonly exposedPorts: readonly string[];
  readonly portSpecs: readonly string[];
  /** `null` where the request has none. */
  readonly portBindings: readonly (readonly [key: string, bindings: readonly PortBinding[] | null])[] | null;
  /** Where the bindings stand: `HostConfig.PortBindings`, or `PortBindings` at the top level. */
  readonly bindingsPath: string;
  readonly publishAllPorts: boolean;
  readonly networkMode: string;
}

/** Sets every default. */
export function normalise(request: CreatePorts): NormalPorts {
  const { HostConfig, ExposedPorts, PortSpecs } = request;
  const { PortBindings, PublishAllPorts, NetworkMode } = HostConfig ?? request;
  return {
    exposedPorts: Object.keys(ExposedPorts ?? {}),
    portSpecs: PortSpecs ?? [],
    portBindings: PortBindings ? Object.entries(PortBindings).map(([key, list]) => [key, completeAll(list)]) : null,
    bindingsPath: HostConfig ? "HostConfig.PortBindings" : "PortBindings",
    publishAllPorts: PublishAllPorts ?? false,
    networkMode: NetworkMode ?? "",
  };
}

function completeAll(bindings: readonly PartialBinding[] | null): readonly PortBinding[] | null {
  return bindings?.map((binding) => ({ HostIp: binding?.HostIp ?? "", HostPort: binding?.HostPort ?? "" })) ?? null;
}
