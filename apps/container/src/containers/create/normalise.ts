import type { HostDefaults } from "../../engine/host-defaults.ts";
import type { CreateRequest, HostConfig } from "../records/config.ts";
import { discardLimits } from "./discard-limits.ts";
import { ignoredOptions } from "./ignored-options.ts";
import { warningsOfResources } from "./rules/limits.ts";

type Defaults = Pick<HostDefaults, "cgroupnsMode" | "limits" | "apparmor">;

/** Docker's default for `/dev/shm`, in bytes. */
const SHM_SIZE = 64 * 1024 * 1024;

function withDefaults(asked: HostConfig, host: Defaults): HostConfig {
  return {
    ...asked,
    IpcMode: asked.IpcMode || "private",
    RestartPolicy: { ...asked.RestartPolicy, Name: asked.RestartPolicy.Name || "no" },
    CgroupnsMode: asked.CgroupnsMode || host.cgroupnsMode,
    LogConfig: { ...asked.LogConfig, Type: asked.LogConfig.Type || "json-file" },
    Runtime: asked.Runtime || "runc",
    ShmSize: asked.ShmSize || SHM_SIZE,
    OomKillDisable: asked.OomKillDisable ?? false,
    // Zero and negative values mean no limit.
    PidsLimit: asked.PidsLimit !== null && asked.PidsLimit <= 0 ? null : asked.PidsLimit,
    // Swap defaults to the size of the memory limit, on top of it.
    MemorySwap: asked.Memory > 0 && asked.MemorySwap === 0 ? asked.Memory * 2 : asked.MemorySwap,
    MemorySwappiness: asked.MemorySwappiness === -1 ? null : asked.MemorySwappiness,
  };
}

/** A create request with every default set, so that no later code sets one. */
export type NormalisedCreate = CreateRequest & { readonly warnings: readonly string[] };

/**
 * Sets every default of a create request (moby `daemon/daemon_unix.go`, `adaptContainerSettings`) and discards, with Docker's warnings,
 * limits that the host does not support.
 */
export function normalise(request: CreateRequest, host: Defaults): NormalisedCreate {
  const { resources, warnings } = discardLimits(withDefaults(request.hostConfig, host), host.limits);
  const ignored = ignoredOptions(resources, host);
  return {
    ...request,
    ...(request.config.NetworkDisabled
      ? { hostConfig: { ...resources, NetworkMode: "none" }, endpoints: {} }
      : { hostConfig: resources }),
    warnings: [...warnings, ...warningsOfResources(resources), ...ignored],
  };
}
