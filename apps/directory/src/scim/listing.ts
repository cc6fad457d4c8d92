import type { GroupFilter, UserFilter } from "../accounts/filter.ts";
import type { GroupSort, Records, UserSort } from "../accounts/stores.ts";
import { MAX_RESULTS } from "./discovery.ts";
import { groupSort, userSort } from "./filter.ts";
import { groupText } from "./group-resource.ts";
import type { ListRequest } from "./requests.ts";
import { isSelected, select, selectionOf } from "./selection.ts";
import { showScimUser } from "./user-resource.ts";

const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** One page of resources, each as the pieces of its JSON. */
export interface ResourcePage {
  readonly total: number;
  readonly items: readonly (Iterable<string> | AsyncIterable<string>)[];
}

type Lister = Pick<Records, "users" | "groups" | "memberships" | "subgroups">;

/** The page that a list asks for: an index below 1 is 1, and a count below 0 is 0 (RFC 7644, 3.4.2.4). */
export function windowOf(request: ListRequest): Window {
  return {
    offset: Math.max(request.startIndex ?? 1, 1) - 1,
    limit: Math.min(Math.max(request.count ?? MAX_RESULTS, 0), MAX_RESULTS),
  };
}

/** A page of users; their groups are read only where they are shown. */
export async function usersPage(
  records: Lister,
  request: ListRequest,
  { filter, window, base }: { readonly filter: UserFilter | undefined; readonly window: Window; readonly base: string },
): Promise<ResourcePage> {
  const sort = sortOf<UserSort>(request, userSort);
  const query = { ...(filter === undefined ? {} : { filter }), sort };
  const total = await records.users.count(query);
  const users = window.limit === 0 ? [] : await records.users.page(query, window);
  const selection = selectionOf(request);
  const isWithGroups = isSelected(selection, "groups") && users.length > 0;
  const groups = isWithGroups ? await records.memberships.groupsOfAll(users.map((user) => user.id)) : undefined;
  const items = users.map((user) => {
    const shown = showScimUser(user, base, groups && (groups.get(user.id) ?? []));
    return [JSON.stringify(select(shown, selection))];
  });
  return { total, items };
}

/** A page of groups; their members are read one group at a time, while the answer is sent. */
export async function groupsPage(
  records: Lister,
  request: ListRequest,
  {
    filter,
    window,
    base,
  }: { readonly filter: GroupFilter | undefined; readonly window: Window; readonly base: string },
): Promise<ResourcePage> {
  const query = { ...(filter === undefined ? {} : { filter }), sort: sortOf<GroupSort>(request, groupSort) };
  const total = await records.groups.count(query);
  const groups = window.limit === 0 ? [] : await records.groups.page(query, window);
  const source = {
    memberships: records.memberships,
    subgroups: records.subgroups,
    base,
    selection: selectionOf(request),
  };
  return { total, items: groups.map((group) => groupText(group, source)) };
}

/** An attribute without values in all resources leaves them in the order of their ids. */
function sortOf<By>(request: ListRequest, fieldOf: (path: string) => By | undefined) {
  const by: By | "id" = request.sortBy ? (fieldOf(request.sortBy) ?? "id") : "id";
  return { by, order: request.sortOrder ?? "ascending" } as const;
}

/** The JSON of a list in pieces (RFC 7644, 3.4.2). */
export async function* listText(page: ResourcePage, startIndex: number): AsyncGenerator<string> {
  const head = {
    schemas: [LIST_SCHEMA],
    totalResults: page.total,
    startIndex,
    itemsPerPage: page.items.length,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"Resources":[`;
  let separator = "";
  for (const item of page.items) {
    yield separator;
    yield* item;
    separator = ",";
  }
  yield "]}";
}
