import { streamAnswer } from "../http/answer.ts";
import type { Call, Endpoints } from "../http/endpoint.ts";
import { SCIM_TYPE } from "../scim/error.ts";
import { filterOnBoth, groupFilter, userFilter } from "../scim/filter.ts";
import { groupsPage, listText, type ResourcePage, usersPage, windowOf } from "../scim/listing.ts";
import {
  ACCEPTS,
  ANSWERS,
  baseOf,
  COMMON,
  type ListRequest,
  listQuery,
  SCIM_PATH,
  searchBody,
} from "../scim/requests.ts";
import type { Services } from "./services.ts";

type Lister = (services: Services, request: ListRequest, base: string) => Promise<ResourcePage>;

/** Lists by GET with parameters, and by POST on `.search` with a body (RFC 7644, 3.4.2 and 3.4.3). */
export function scimSearchRoutes(endpoints: Endpoints, services: Services): void {
  const lists: readonly { path: string; what: string; list: Lister }[] = [
    { path: "/Users", what: "users", list: listUsers },
    { path: "/Groups", what: "groups", list: listGroups },
    { path: "", what: "users and groups", list: listBoth },
  ];
  const base = { ...COMMON, answers: ANSWERS, access: "reader" } as const;
  for (const { path, what, list } of lists) {
    const answer = async (call: Call<unknown, unknown>, request: ListRequest) => {
      const page = await list(services, request, baseOf(call));
      return streamAnswer(call, listText(page, windowOf(request).offset + 1), SCIM_TYPE);
    };
    endpoints.add(
      { ...base, method: "get", path: `${SCIM_PATH}${path}`, summary: `List ${what}`, query: listQuery },
      (call) => answer(call, call.query),
    );
    endpoints.add(
      {
        ...base,
        method: "post",
        path: `${SCIM_PATH}${path}/.search`,
        summary: `Search ${what}`,
        scopes: ["read"],
        body: searchBody,
        accepts: ACCEPTS,
      },
      (call) => answer(call, call.body),
    );
  }
}

function listUsers(services: Services, request: ListRequest, base: string): Promise<ResourcePage> {
  const filter = request.filter ? userFilter(request.filter) : undefined;
  return usersPage(services.records, request, { filter, window: windowOf(request), base });
}

function listGroups(services: Services, request: ListRequest, base: string): Promise<ResourcePage> {
  const filter = request.filter ? groupFilter(request.filter) : undefined;
  return groupsPage(services.records, request, { filter, window: windowOf(request), base });
}

/** Users come first, groups after them. */
async function listBoth(services: Services, request: ListRequest, base: string): Promise<ResourcePage> {
  const filter = request.filter ? filterOnBoth(request.filter) : undefined;
  const { offset, limit } = windowOf(request);
  const users = await usersPage(services.records, request, { filter: filter?.users, window: { offset, limit }, base });
  const rest = { offset: Math.max(offset - users.total, 0), limit: limit - users.items.length };
  const groups = await groupsPage(services.records, request, { filter: filter?.groups, window: rest, base });
  return { total: users.total + groups.total, items: [...users.items, ...groups.items] };
}
