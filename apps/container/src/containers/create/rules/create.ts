import { CONFIG_RULES } from "./config.ts";
import { HOST_CONFIG_RULES } from "./host-config.ts";
import type { Processors } from "./limits.ts";
import { NETWORK_RULES } from "./network.ts";
import type { CreateToCheck } from "./rule.ts";

/** In dockerd's order, which decides the message if a request breaks two rules (moby `verifyContainerSettings`). */
const RULES = [...NETWORK_RULES, ...CONFIG_RULES, ...HOST_CONFIG_RULES];

/** Returns Docker's message for an invalid create request; undefined if it is valid. */
export function validateCreate(request: CreateToCheck, host: Processors): string | undefined {
  for (const rule of RULES) {
    const refusal = rule(request, host);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
