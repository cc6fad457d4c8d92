import { omitUndefined } from "@berth/service-kit/omit-undefined";
import type { z } from "zod";
import { discardLimits } from "../../containers/create/discard-limits.ts";
import type { Resources, RestartPolicy } from "../../containers/records/config.ts";
import type { Limit } from "../../engine/host-defaults.ts";
import { goStruct } from "../go-json/go-json.ts";
import { parseValue } from "../go-json/json-body.ts";
import { type ApiVersion, KERNEL_MEMORY_IGNORED, SINCE } from "../versions/changes.ts";
import { RESOURCE_FIELDS, restartPolicy } from "./resources-body.ts";

const schema = goStruct("container.UpdateConfig", { ...RESOURCE_FIELDS, RestartPolicy: restartPolicy.optional() });

/** A zero or an empty list leaves the value unchanged, as in Docker's update. */
function isZero(value: unknown): boolean {
  return value === 0 || value === "" || value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * Decodes the body of `POST /containers/{id}/update`: the changed fields, and the requested limits that the host does not support.
 * A pids limit of 0 or below removes the limit (0 here).
 */
export function updateBody(
  body: unknown,
  version: ApiVersion,
  limits: ReadonlySet<Limit>,
): {
  readonly change: Partial<Resources> & { readonly RestartPolicy?: RestartPolicy };
  readonly warnings: readonly string[];
} {
  // Docker never updates the limit of TCP buffers.
  const { RestartPolicy, ...decoded } = parseValue(schema, body) as z.output<typeof schema>;
  const KernelMemory = version < SINCE.kernelMemoryIgnored ? decoded.KernelMemory : 0;
  const asked = { ...decoded, KernelMemory, KernelMemoryTCP: 0 };
  const { resources: kept, warnings } = discardLimits(asked, limits);
  const { PidsLimit, ...resources } = kept;
  const changed = Object.fromEntries(Object.entries(resources).filter(([, value]) => !isZero(value)));
  const change = omitUndefined({
    ...changed,
    PidsLimit: PidsLimit === null || version < SINCE.pidsLimitInUpdate ? undefined : Math.max(0, PidsLimit),
    RestartPolicy: RestartPolicy?.Name === "" ? undefined : RestartPolicy,
  });
  const ignored = decoded.KernelMemory > KernelMemory ? [KERNEL_MEMORY_IGNORED] : [];
  return { change, warnings: [...ignored, ...warnings] };
}
