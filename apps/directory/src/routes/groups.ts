import { fold } from "@berth/directory-domain";
import { omitUndefined } from "@berth/service-kit/omit-undefined";
import { z } from "@hono/zod-openapi";
import { changeGroup, createGroup, removeGroup } from "../accounts/groups.ts";
import type { GroupRecord } from "../accounts/records.ts";
import { notFound } from "../errors/directory-error.ts";
import { noContent, recordAnswer } from "../http/answer.ts";
import { type Endpoints, PATCH_TYPES } from "../http/endpoint.ts";
import { listAnswer } from "../http/list.ts";
import { mergeOwnFields } from "../http/schemas/common.ts";
import {
  groupQuerySchema,
  groupSchema,
  newGroupSchema,
  patchedGroupSchema,
  replacedGroupSchema,
  showGroup,
} from "../http/schemas/group.ts";
import type { Services } from "./services.ts";

const TAG = "Groups";

export function groupRoutes(endpoints: Endpoints, services: Services): void {
  groupListRoutes(endpoints, services);
  groupRecordRoutes(endpoints, services);
}

function groupListRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/groups",
      tag: TAG,
      summary: "List groups",
      access: "reader",
      query: groupQuerySchema,
      answers: { 200: { description: "The groups", schema: z.array(groupSchema) } },
    },
    (call) => {
      const { limit: _limit, cursor: _cursor, count: _count, sort, ...filter } = call.query;
      const query = { ...omitUndefined(filter), sort };
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.groups.page(query, page),
        count: () => services.records.groups.count(query),
        position: (group) => ({ value: sort.by === "id" ? group.id : fold(group.name), id: group.id }),
        show: showGroup,
      });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/groups",
      tag: TAG,
      summary: "Create a group",
      access: "admin",
      body: newGroupSchema,
      repeatable: true,
      answers: { 201: { description: "The group", schema: groupSchema } },
      refuses: ["conflict"],
    },
    async (call) => {
      const group = await createGroup(services, call.actor, call.body, call.idempotency);
      return recordAnswer(group, showGroup(group), { status: 201, location: `/api/groups/${group.id}` });
    },
  );
}

function groupRecordRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/groups/{id}",
      tag: TAG,
      summary: "Read a group",
      access: "member-or-reader",
      answers: { 200: { description: "The group", schema: groupSchema }, 304: { description: "Not modified" } },
    },
    async (call) => {
      const group = await services.records.groups.find(call.id);
      if (group === undefined) throw notFound("group", call.id);
      return recordAnswer(group, showGroup(group), { ifNoneMatch: call.ifNoneMatch });
    },
  );

  const changing = {
    path: "/api/groups/{id}",
    tag: TAG,
    access: "admin",
    guarded: true,
    answers: { 200: { description: "The group", schema: groupSchema } },
    refuses: ["conflict"],
  } as const;
  endpoints.add(
    { ...changing, method: "put", summary: "Replace a group's fields", body: replacedGroupSchema },
    async (call) => {
      const group = await changeGroup(services, call.actor, call.id, omitUndefined(call.body), call.precondition);
      return recordAnswer(group, showGroup(group));
    },
  );
  endpoints.add(
    {
      ...changing,
      method: "patch",
      summary: "Change some of a group's fields",
      body: patchedGroupSchema,
      accepts: PATCH_TYPES,
    },
    async (call) => {
      const { fields, ...rest } = omitUndefined(call.body);
      const change = (before: GroupRecord) =>
        fields === undefined ? rest : { ...rest, fields: mergeOwnFields(before.fields, fields) };
      const group = await changeGroup(services, call.actor, call.id, change, call.precondition);
      return recordAnswer(group, showGroup(group));
    },
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/groups/{id}",
      tag: TAG,
      summary: "Remove a group with its constraints; its users remain",
      access: "admin",
      guarded: true,
      answers: { 204: { description: "Removed" } },
    },
    async (call) => {
      await removeGroup(services, call.actor, call.id, call.precondition);
      return noContent();
    },
  );
}
