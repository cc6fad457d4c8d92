import { decodeCreateBody } from "../../api/decode/create-body.ts";
import { parseJson } from "../../api/go-json/json-body.ts";
import { liftCreate } from "../../api/versions/create-lifts.ts";
import { orInvalid } from "../../engine/errors.ts";
import type { HostDefaults } from "../../engine/host-defaults.ts";
import { ALL_LIMITS } from "./discard-limits.ts";
import { requestedMounts } from "./mounts.ts";
import { type NormalisedCreate, normalise } from "./normalise.ts";
import { validateCreate } from "./rules/create.ts";

const HOST = { cgroupnsMode: "host", limits: ALL_LIMITS, apparmor: true } as const;

/** Decodes and normalises a create body. */
export function normalisedCreate(body: unknown, version = 51, host: Partial<HostDefaults> = {}): NormalisedCreate {
  const decoded = decodeCreateBody(parseJson(Buffer.from(JSON.stringify(body))));
  const { request } = liftCreate(version, { ...decoded, name: "x", platform: undefined });
  return normalise(request, { ...HOST, ...host });
}

/** Returns why a create body is rejected before the image look-up: a wrong type, a rule, or a mount. */
export function validateBody(body: unknown): string {
  try {
    const request = normalisedCreate(body);
    const refusal = validateCreate(request, { cpus: 2, cpuRealtime: true });
    if (refusal !== undefined) return refusal;
    orInvalid(requestedMounts(request.hostConfig));
    return "accepted";
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
