import { EngineError } from "../engine/errors.ts";
import { type Filters, labelsMatch, requireKnownFilters } from "../engine/filters.ts";
import { earliest, latest, parseMoment } from "../engine/moment.ts";
import type { Catalogue, FoundImage, StoredImage } from "./catalogue.ts";
import { hasChildren, referencesByImage, siblingIds } from "./catalogue.ts";
import { type Glob, globExpression } from "./changes/glob.ts";
import { findImage } from "./find-image.ts";
import type { Reference } from "./reference/reference.ts";
import { familiarRepository, formatFamiliar, formatReference, repositoryOf } from "./reference/reference.ts";

export interface SelectedImage extends FoundImage {
  /** The names that the filters match. */
  readonly references: readonly Reference[];
}

/** The single value of a boolean filter; undefined if it is absent. */
export function flagOf(filters: Filters, key: string): boolean | undefined {
  const values = filters.get(key);
  if (values === undefined) return undefined;
  const truths = new Set(
    values.map((value) => (/^(1|true)$/i.test(value) ? true : /^(0|false)$/i.test(value) ? false : undefined)),
  );
  const [truth] = truths;
  if (truths.size === 1 && truth !== undefined) return truth;
  throw new EngineError("invalid", `invalid filter '${key}=[${values.join(" ")}]'`);
}

/** The `until` filter in milliseconds since the epoch. */
export function untilOf(value: string, nowMs: number): number {
  const moment = parseMoment(value, nowMs);
  if (moment === undefined) throw new EngineError("invalid", `invalid value for 'until' filter: ${value}`);
  return moment;
}

export function createdMs(image: StoredImage): number {
  return Date.parse(image.configuration.created ?? "") || 0;
}

/** The images of `GET /images/json`, newest first. Supports Docker's filters dangling, label, before, since, reference and until. */
export function selectImages(
  catalogue: Catalogue,
  { all, filters, nowMs }: { readonly all: boolean; readonly filters: Filters; readonly nowMs: number },
): readonly SelectedImage[] {
  requireKnownFilters(filters, ["dangling", "label", "before", "since", "reference", "until"]);
  const dangling = flagOf(filters, "dangling");
  const created = (name: string): number => createdMs(findImage(catalogue, name));
  const before = earliest([
    ...(filters.get("before") ?? []).map(created),
    ...(filters.get("until") ?? []).map((value) => untilOf(value, nowMs)),
  ]);
  const since = latest((filters.get("since") ?? []).map(created));
  const patterns = filters.get("reference")?.map(expressionOf);

  const names = referencesByImage(catalogue);
  const siblings = siblingIds(catalogue);
  const indexes = new Map(
    [...catalogue.names.values()].flatMap(({ imageId, index }) =>
      index === undefined ? [] : [[imageId, index] as const],
    ),
  );
  const selected: SelectedImage[] = [];
  for (const image of catalogue.images.values()) {
    if (siblings.has(image.id)) continue;
    const moment = createdMs(image);
    if (moment >= before || moment <= since) continue;
    if (!labelsMatch(filters, "label", image.configuration.config?.Labels ?? {})) continue;
    const parent = hasChildren(catalogue, image.id);
    if (dangling === true && parent) continue;
    const references = (names.get(image.id) ?? []).filter((reference) => matchesAny(reference, patterns));
    if (references.length === 0) {
      // Hide the intermediate images of a commit; a filter by name matches only named images.
      if ((parent && !all) || dangling === false || patterns !== undefined) continue;
    } else if (dangling === true && references.some(({ tag }) => tag !== undefined)) continue;
    const index = indexes.get(image.id);
    selected.push({ image, references, ...(index !== undefined && { index }) });
  }
  return selected.sort((a, b) => createdMs(b.image) - createdMs(a.image));
}

function expressionOf(pattern: string): Glob {
  const expression = globExpression(pattern);
  if (expression === undefined)
    throw new EngineError("invalid", `invalid filter 'reference=${pattern}': syntax error in pattern`);
  return expression;
}

function matchesAny(reference: Reference, patterns: readonly Glob[] | undefined): boolean {
  if (patterns === undefined) return true;
  const forms = [
    formatFamiliar(reference),
    familiarRepository(reference),
    formatReference(reference),
    formatReference(repositoryOf(reference)),
  ];
  return patterns.some((pattern) => forms.some((form) => pattern.test(form)));
}
