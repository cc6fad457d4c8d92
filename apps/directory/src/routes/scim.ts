import { z } from "@hono/zod-openapi";
import { changeGroupAndMembers, createGroupWithMembers } from "../accounts/change-members.ts";
import { changeUser } from "../accounts/change-user.ts";
import { createUser } from "../accounts/create-user.ts";
import { removeGroup } from "../accounts/groups.ts";
import type { GroupRecord } from "../accounts/records.ts";
import { removeUser } from "../accounts/remove-user.ts";
import { notFound } from "../errors/directory-error.ts";
import { jsonAnswer, noContent, recordAnswer } from "../http/answer.ts";
import { type Endpoint, type Endpoints, JSON_TYPE } from "../http/endpoint.ts";
import { RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER_CONFIG } from "../scim/discovery.ts";
import { SCIM_TYPE } from "../scim/error.ts";
import { groupFilter, userAttribute, userFilter } from "../scim/filter.ts";
import { groupPatch, userPatch } from "../scim/patch.ts";
import {
  nameOf,
  primaryEmail,
  type ScimUser,
  scimGroupSchema,
  scimPatchSchema,
  scimUserSchema,
} from "../scim/schemas.ts";
import { showScimGroup, showScimList, showScimUser } from "../scim/shapes.ts";
import type { Services } from "./services.ts";

const TAG = "SCIM 2.0";
const ACCEPTS = [SCIM_TYPE, JSON_TYPE];
const MAX_COUNT = 200;
const resource = z.looseObject({ schemas: z.array(z.string()) });
const OK = { 200: { description: "The resource", schema: resource, mediaType: SCIM_TYPE } };
const BASE = { tag: TAG, answers: OK } as const satisfies Partial<Endpoint>;
/** What replacing and patching have in common. */
const CHANGING = { ...BASE, access: "admin", accepts: ACCEPTS, guarded: true, refuses: ["conflict"] } as const;

const number = z
  .string()
  .regex(/^-?\d{1,9}$/, "must be a whole number")
  .transform(Number);
const listQuery = z.object({
  filter: z.string().optional(),
  startIndex: number.optional(),
  count: number.optional(),
  sortBy: z.string().max(100).optional(),
  sortOrder: z.enum(["ascending", "descending"]).optional(),
  attributes: z.string().max(1_000).optional(),
  excludedAttributes: z.string().max(1_000).optional(),
});

export function scimRoutes(endpoints: Endpoints, services: Services): void {
  discoveryRoutes(endpoints);
  scimUserRoutes(endpoints, services);
  scimGroupRoutes(endpoints, services);
}

function discoveryRoutes(endpoints: Endpoints): void {
  const answers: readonly (readonly [string, object])[] = [
    ["ServiceProviderConfig", SERVICE_PROVIDER_CONFIG],
    ["ResourceTypes", showScimList(RESOURCE_TYPES, RESOURCE_TYPES.length, 1)],
    ["Schemas", showScimList(SCHEMAS, SCHEMAS.length, 1)],
  ];
  for (const [name, answer] of answers)
    endpoints.add({ ...BASE, method: "get", path: `/scim/v2/${name}`, summary: name, access: "signed-in" }, async () =>
      scimAnswer(answer),
    );
}

/** RFC 7644, 3.4.2.4: an index below 1 is 1, and a count below 0 is 0. */
function pageOf(query: z.output<typeof listQuery>) {
  const startIndex = Math.max(query.startIndex ?? 1, 1);
  return { startIndex, limit: Math.min(Math.max(query.count ?? MAX_COUNT, 0), MAX_COUNT), offset: startIndex - 1 };
}

const scimAnswer = (body: object, status = 200) => jsonAnswer(body, { status, headers: { "content-type": SCIM_TYPE } });

function scimUserRoutes(endpoints: Endpoints, services: Services): void {
  const path = "/scim/v2/Users";
  endpoints.add(
    { ...BASE, method: "get", path, summary: "List users", access: "reader", query: listQuery },
    async (call) => {
      const { filter, sortBy, sortOrder } = call.query;
      const by = sortBy === undefined ? "id" : userAttribute(sortBy);
      const query = {
        ...(filter === undefined ? {} : { filter: userFilter(filter) }),
        sort: {
          by: by === "login" || by === "email" || by === "createdAt" ? by : "id",
          order: sortOrder ?? "ascending",
        },
      } as const;
      const page = pageOf(call.query);
      const total = await services.records.users.count(query);
      const users = page.limit === 0 ? [] : await services.records.users.page(query, page);
      return scimAnswer(showScimList(users.map(showScimUser), total, page.startIndex));
    },
  );

  endpoints.add(
    {
      ...BASE,
      method: "post",
      path,
      summary: "Create a user",
      access: "admin",
      body: scimUserSchema,
      accepts: ACCEPTS,
      answers: CREATED,
      refuses: ["conflict"],
    },
    async ({ actor, body }) => {
      const fields = { ...fieldsOf(body), role: "user", pass: body.password ?? null } as const;
      const user = await createUser(services, actor, fields, undefined);
      return recordAnswer(user, showScimUser(user), { status: 201, location: `${path}/${user.id}`, type: SCIM_TYPE });
    },
  );

  endpoints.add(
    { ...BASE, method: "get", path: `${path}/{id}`, summary: "Read a user", access: "reader", query: shownQuery },
    async ({ id, ifNoneMatch }) => {
      const user = await services.records.users.find(id);
      if (user === undefined) throw notFound("user", id);
      return recordAnswer(user, showScimUser(user), { ifNoneMatch, type: SCIM_TYPE });
    },
  );

  endpoints.add(
    {
      ...CHANGING,
      method: "put",
      path: `${path}/{id}`,
      summary: "Replace a user",
      body: scimUserSchema,
    },
    async ({ id, actor, body, precondition }) => {
      const pass = body.password == null ? {} : { pass: body.password };
      const user = await changeUser(services, actor, id, { ...fieldsOf(body), ...pass }, precondition);
      return recordAnswer(user, showScimUser(user), { type: SCIM_TYPE });
    },
  );

  endpoints.add(
    {
      ...CHANGING,
      method: "patch",
      path: `${path}/{id}`,
      summary: "Change a user",
      body: scimPatchSchema,
    },
    async ({ id, actor, body, precondition }) => {
      const user = await changeUser(services, actor, id, userPatch(body.Operations), precondition);
      return recordAnswer(user, showScimUser(user), { type: SCIM_TYPE });
    },
  );

  endpoints.add(
    {
      ...BASE,
      method: "delete",
      path: `${path}/{id}`,
      summary: "Remove a user",
      access: "admin",
      guarded: true,
      answers: REMOVED,
      refuses: ["conflict"],
    },
    async ({ id, actor, precondition }) => {
      await removeUser(services, actor, id, precondition);
      return noContent();
    },
  );
}

const shownQuery = listQuery.pick({ attributes: true, excludedAttributes: true });
const CREATED = { 201: { description: "The resource", schema: resource, mediaType: SCIM_TYPE } };
const REMOVED = { 204: { description: "Removed" } };

function fieldsOf(user: ScimUser) {
  return {
    login: user.userName,
    email: primaryEmail(user.emails) ?? "",
    name: nameOf(user),
    active: user.active,
    externalId: user.externalId ?? null,
  };
}

function scimGroupRoutes(endpoints: Endpoints, services: Services): void {
  const path = "/scim/v2/Groups";
  const show = async (group: GroupRecord) => showScimGroup(group, await services.records.memberships.idsOf(group.id));

  // Members are told by the group alone, and in a list only when asked for: a list of large groups has no bound.
  endpoints.add(
    { ...BASE, method: "get", path, summary: "List groups", access: "reader", query: listQuery },
    async (call) => {
      const { filter, attributes } = call.query;
      const query = {
        ...(filter === undefined ? {} : { filter: groupFilter(filter) }),
        sort: { by: "id", order: call.query.sortOrder ?? "ascending" },
      } as const;
      const page = pageOf(call.query);
      const total = await services.records.groups.count(query);
      const groups = page.limit === 0 ? [] : await services.records.groups.page(query, page);
      const wanted = attributes?.split(",").some((one) => one.trim().toLowerCase() === "members") ?? false;
      const shown: object[] = [];
      for (const group of groups) shown.push(wanted ? await show(group) : showScimGroup(group));
      return scimAnswer(showScimList(shown, total, page.startIndex));
    },
  );

  endpoints.add(
    {
      ...BASE,
      method: "post",
      path,
      summary: "Create a group",
      access: "admin",
      body: scimGroupSchema,
      accepts: ACCEPTS,
      answers: CREATED,
      refuses: ["conflict"],
    },
    async ({ actor, body }) => {
      const fields = { name: body.displayName, externalId: body.externalId ?? null };
      const members = body.members.map((one) => one.value);
      const group = await createGroupWithMembers(services, actor, fields, members);
      return recordAnswer(group, await show(group), { status: 201, location: `${path}/${group.id}`, type: SCIM_TYPE });
    },
  );

  endpoints.add(
    { ...BASE, method: "get", path: `${path}/{id}`, summary: "Read a group", access: "reader", query: shownQuery },
    async ({ id, query }) => {
      const group = await services.records.groups.find(id);
      if (group === undefined) throw notFound("group", id);
      const without = query.excludedAttributes?.split(",").some((one) => one.trim().toLowerCase() === "members");
      return recordAnswer(group, without ? showScimGroup(group) : await show(group), { type: SCIM_TYPE });
    },
  );

  endpoints.add(
    {
      ...CHANGING,
      method: "put",
      path: `${path}/{id}`,
      summary: "Replace a group and its members",
      body: scimGroupSchema,
    },
    async ({ id, actor, body, precondition }) => {
      const changes = {
        fields: { name: body.displayName, externalId: body.externalId ?? null },
        members: [{ set: body.members.map((one) => one.value) }],
      };
      const group = await changeGroupAndMembers(services, actor, id, changes, precondition);
      return recordAnswer(group, await show(group), { type: SCIM_TYPE });
    },
  );

  endpoints.add(
    {
      ...CHANGING,
      method: "patch",
      path: `${path}/{id}`,
      summary: "Change a group or its members",
      body: scimPatchSchema,
    },
    async ({ id, actor, body, precondition }) => {
      const group = await changeGroupAndMembers(services, actor, id, groupPatch(body.Operations), precondition);
      return recordAnswer(group, await show(group), { type: SCIM_TYPE });
    },
  );

  endpoints.add(
    {
      ...BASE,
      method: "delete",
      path: `${path}/{id}`,
      summary: "Remove a group; its users stay",
      access: "admin",
      guarded: true,
      answers: REMOVED,
    },
    async ({ id, actor, precondition }) => {
      await removeGroup(services, actor, id, precondition);
      return noContent();
    },
  );
}
