import { z } from "@hono/zod-openapi";
import { putSubgroup, removeSubgroup } from "../accounts/groups.ts";
import { notFound } from "../errors/directory-error.ts";
import { noContent } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { listAnswer } from "../http/list.ts";
import { PAGE_PARAMETERS } from "../http/schemas/common.ts";
import { groupSchema, showGroup } from "../http/schemas/group.ts";
import type { Services } from "./services.ts";

const TAG = "Groups";

export function subgroupRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/groups/{id}/subgroups",
      tag: TAG,
      summary: "List the groups that are part of a group",
      access: "manager-or-reader",
      query: z.strictObject(PAGE_PARAMETERS),
      answers: { 200: { description: "The subgroups", schema: z.array(groupSchema) } },
    },
    async (call) => {
      if ((await services.records.groups.find(call.id)) === undefined) throw notFound("group", call.id);
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.subgroups.ofGroup(call.id, page),
        position: (group) => ({ value: group.id, id: group.id }),
        show: showGroup,
      });
    },
  );

  const path = "/api/groups/{id}/subgroups/{subgroupId}";
  endpoints.add(
    {
      method: "put",
      path,
      operationId: "putSubgroup",
      tag: TAG,
      summary: "Make a group part of another: the other's constraints bind its members too",
      access: "admin",
      answers: { 204: { description: "A subgroup" } },
      refuses: ["conflict"],
    },
    async (call) => {
      await putSubgroup(services, call.actor, call.id, call.subgroupId);
      return noContent();
    },
  );

  endpoints.add(
    {
      method: "delete",
      path,
      operationId: "removeSubgroup",
      tag: TAG,
      summary: "Take a group out of another; succeeds if it is not in it",
      access: "admin",
      answers: { 204: { description: "No subgroup" } },
    },
    async (call) => {
      await removeSubgroup(services, call.actor, call.id, call.subgroupId);
      return noContent();
    },
  );
}
