import { z } from "zod";
import type { CacheEntry, CachePruning } from "../../builds/builds.ts";
import { EngineError } from "../../engine/errors.ts";
import { type Filters, parseFilters, requireKnownFilters } from "../../engine/filters.ts";
import { parseMoment } from "../../engine/moment.ts";
import { type ApiVersion, SINCE } from "../versions/changes.ts";

import { flag, parseQuery, text, wholeNumber } from "./query.ts";

const query = z.object({
  all: flag(),
  filters: text(),
  "keep-storage": wholeNumber(),
  "reserved-space": wholeNumber(),
  "max-used-space": wholeNumber(),
  "min-free-space": wholeNumber(),
});

/** The fields of an entry that a filter compares. `shared` and `private` tell apart what no cache of Berth shares. */
const FIELDS: Readonly<Record<string, (entry: CacheEntry, value: string) => boolean>> = {
  id: ({ id }, value) => id.includes(value),
  parent: ({ parent }, value) => parent === value,
  type: (_, value) => value === "regular",
  description: ({ description }, value) => description === value,
  inuse: ({ inUse }) => inUse,
  shared: () => false,
  private: () => true,
};

/** The value of a filter that takes one; undefined for none. Throws `invalid`. */
function oneOf(filters: Filters, key: string): string | undefined {
  const values = filters.get(key) ?? [];
  if (values.length > 1) throw new EngineError("invalid", `filter ${key} expects only one value`);
  return values[0];
}

function before(filters: Filters, nowMs: number): number {
  const [until, unused] = [oneOf(filters, "until"), oneOf(filters, "unused-for")];
  if (until !== undefined && unused !== undefined)
    throw new EngineError("invalid", 'conflicting filters: cannot use both "until" and "unused-for"');
  const value = until ?? unused;
  if (value === undefined) return Number.POSITIVE_INFINITY;
  const moment = parseMoment(value, nowMs);
  if (moment === undefined)
    throw new EngineError("invalid", `invalid value for 'until' filter: ${value}: want a duration such as 24h`);
  return moment;
}

/**
 * Decodes `POST /build/prune` (moby `toBuildkitPruneInfo`). Undefined for everything. Throws `invalid`, and `unsupported` for what is
 * not done.
 */
export function parseBuildPrune(
  params: Readonly<Record<string, string>>,
  version: ApiVersion,
  nowMs: number,
): CachePruning | undefined {
  const asked = parseQuery(query, params);
  const filters = parseFilters(asked.filters);
  requireKnownFilters(filters, ["until", "unused-for", ...Object.keys(FIELDS)]);
  const spaces = version >= SINCE.pruneSpaces ? [asked["reserved-space"], asked["max-used-space"]] : [];
  const keep = Math.max(0, asked["keep-storage"] ?? 0, ...spaces.map((bytes) => bytes ?? 0));
  if (version >= SINCE.pruneSpaces && (asked["min-free-space"] ?? 0) > 0)
    throw new EngineError("unsupported", "min-free-space is not supported: use max-used-space or reserved-space");
  const wanted = Object.entries(FIELDS).flatMap(([key, matches]) => {
    if (!filters.has(key)) return [];
    const value = oneOf(filters, key) ?? "";
    return [(entry: CacheEntry) => matches(entry, value)];
  });
  if (keep === 0 && filters.size === 0) return undefined;
  return { keep, before: before(filters, nowMs), matches: (entry) => wanted.every((passes) => passes(entry)) };
}
