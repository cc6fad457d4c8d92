import { fold } from "@berth/directory-domain";
import type { FilterText, Literal } from "./filter-text.ts";

/** An item as a filter describes it. */
export interface DescribedItem {
  readonly [part: string]: Literal;
  readonly value?: Literal;
}

type Item = Readonly<Record<string, unknown>>;

/** Whether an item of a multi-valued attribute meets the filter of a PATCH path; texts are compared without letter case. */
export function meets(item: Item, filter: FilterText): boolean {
  switch (filter.op) {
    case "and":
      return filter.filters.every((one) => meets(item, one));
    case "or":
      return filter.filters.some((one) => meets(item, one));
    case "not":
      return !meets(item, filter.filter);
    case "some":
      return false;
    case "pr":
      return partOf(item, filter.path) != null;
    default:
      return compare(filter.op, comparable(partOf(item, filter.path)), comparable(filter.value));
  }
}

/** The item that a filter describes, where it says what its parts equal: a provider means it to be made. */
export function itemOf(filter: FilterText): DescribedItem | undefined {
  if (filter.op === "eq") return { [filter.path.toLowerCase()]: filter.value };
  if (filter.op !== "and") return undefined;
  const parts = filter.filters.map(itemOf);
  return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined;
}

function partOf(item: Item, path: string): unknown {
  return item[path.toLowerCase()];
}

function comparable(value: unknown): string {
  return value === undefined || value === null ? "" : fold(String(value));
}

function compare(op: string, left: string, right: string): boolean {
  switch (op) {
    case "eq":
      return left === right;
    case "ne":
      return left !== right;
    case "co":
      return left.includes(right);
    case "sw":
      return left.startsWith(right);
    case "ew":
      return left.endsWith(right);
    case "gt":
      return left > right;
    case "ge":
      return left >= right;
    case "lt":
      return left < right;
    default:
      return left <= right;
  }
}
