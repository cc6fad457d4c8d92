import { EngineError } from "../engine/errors.ts";
import { anyValue, type Filters, labelsMatch, labelsPass, requireKnownFilters } from "../engine/filters.ts";
import { parseMoment } from "../engine/moment.ts";
import { namePatterns } from "../engine/name-patterns.ts";
import type { Network } from "./networks.ts";
import { PREDEFINED } from "./plan-network.ts";

/** Whether a network passes Docker's list filters. Throws `invalid` on a filter that Docker does not have. */
export function listFilter(filters: Filters): (network: Network, options: { readonly inUse: boolean }) => boolean {
  requireKnownFilters(filters, ["dangling", "driver", "id", "label", "name", "scope", "type"]);
  for (const value of filters.get("type") ?? [])
    if (value !== "builtin" && value !== "custom")
      throw new EngineError("invalid", `invalid filter: 'type'='${value}': want builtin or custom`);
  const dangling = truth(filters, "dangling");
  const matches = namePatterns(filters, ["id", "name"]);
  return (network, { inUse }) => {
    const type = PREDEFINED.has(network.name) ? "builtin" : "custom";
    return (
      anyValue(filters, "driver", (value) => value === network.driver) &&
      anyValue(filters, "id", (value) => matches(value, network.id)) &&
      anyValue(filters, "name", (value) => matches(value, network.name)) &&
      anyValue(filters, "scope", (value) => value === "local") &&
      anyValue(filters, "type", (value) => value === type) &&
      labelsMatch(filters, "label", network.labels) &&
      (dangling === undefined || dangling === (type === "custom" && !inUse))
    );
  };
}

/**
 * Whether prune may remove an unused network. Throws `invalid` on a filter that Docker does not have.
 *
 * @param now milliseconds since 1970, for `until` as a duration.
 */
export function pruneFilter(filters: Filters, now: number): (network: Network) => boolean {
  requireKnownFilters(filters, ["label", "label!", "until"]);
  const [until, ...more] = filters.get("until") ?? [];
  if (more.length > 0) throw new EngineError("invalid", "more than one until filter specified");
  const before = until === undefined ? undefined : instantOf(until, now);
  return (network) =>
    !PREDEFINED.has(network.name) &&
    labelsPass(filters, network.labels) &&
    (before === undefined || Date.parse(network.createdAt) < before);
}

function truth(filters: Filters, key: string): boolean | undefined {
  const [value, ...more] = filters.get(key) ?? [];
  if (value === undefined) return undefined;
  if (more.length === 0 && ["1", "t", "true", "True", "TRUE"].includes(value)) return true;
  if (more.length === 0 && ["0", "f", "false", "False", "FALSE"].includes(value)) return false;
  throw new EngineError("invalid", `invalid value for filter '${key}', must be "true" (or "1"), or "false" (or "0")`);
}

function instantOf(text: string, now: number): number {
  const instant = parseMoment(text, now);
  if (instant === undefined)
    throw new EngineError(
      "invalid",
      `invalid until filter ${JSON.stringify(text)}: want a time or a duration such as 24h`,
    );
  return instant;
}
