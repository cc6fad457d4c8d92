import { z } from "@hono/zod-openapi";
import { putMember, removeMember } from "../accounts/members.ts";
import { notFound } from "../errors/directory-error.ts";
import { accepted, noContent } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { listAnswer } from "../http/list.ts";
import { PAGE_PARAMETERS } from "../http/schemas/common.ts";
import {
  invitationSchema,
  invitedSchema,
  memberSchema,
  putMemberQuerySchema,
  showInvitation,
  showMember,
} from "../http/schemas/group.ts";
import type { Services } from "./services.ts";

const TAG = "Groups";

export function memberRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/groups/{id}/members",
      tag: TAG,
      summary: "List the members of a group",
      access: "manager-or-reader",
      query: z.strictObject(PAGE_PARAMETERS),
      answers: { 200: { description: "The members", schema: z.array(memberSchema) } },
    },
    async (call) => {
      if ((await services.records.groups.find(call.id)) === undefined) throw notFound("group", call.id);
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.memberships.membersOf(call.id, page),
        position: ({ user }) => ({ value: user.id, id: user.id }),
        show: showMember,
      });
    },
  );

  endpoints.add(
    {
      method: "put",
      path: "/api/groups/{id}/members/{userId}",
      operationId: "putGroupMember",
      tag: TAG,
      summary: "Add a member or set its role; managers invite, and the invited user accepts by adding itself",
      access: "invitee-or-manager-or-admin",
      query: putMemberQuerySchema,
      answers: {
        202: { description: "Invited; a member once the user accepts" },
        204: { description: "A member" },
      },
    },
    async (call) => {
      const member = { groupId: call.id, userId: call.userId, role: call.query.role };
      return (await putMember(services, call.actor, member)) === "invited" ? accepted() : noContent();
    },
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/groups/{id}/members/{userId}",
      operationId: "removeGroupMember",
      tag: TAG,
      summary: "Remove a member or decline an invitation; succeeds if there is none",
      access: "invitee-or-manager-or-admin",
      answers: { 204: { description: "No member" } },
    },
    async (call) => {
      await removeMember(services, call.actor, { groupId: call.id, userId: call.userId });
      return noContent();
    },
  );

  invitationRoutes(endpoints, services);
}

function invitationRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/users/{id}/invitations",
      tag: TAG,
      summary: "List the groups that a user is invited to",
      access: "self-or-reader",
      query: z.strictObject(PAGE_PARAMETERS),
      answers: { 200: { description: "The invitations", schema: z.array(invitationSchema) } },
    },
    async (call) => {
      if ((await services.records.users.find(call.id)) === undefined) throw notFound("user", call.id);
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.invitations.ofUser(call.id, page),
        position: ({ group }) => ({ value: group.id, id: group.id }),
        show: showInvitation,
      });
    },
  );

  endpoints.add(
    {
      method: "get",
      path: "/api/groups/{id}/invitations",
      tag: TAG,
      summary: "List the users who are invited to a group and have not accepted",
      access: "reader",
      query: z.strictObject(PAGE_PARAMETERS),
      answers: { 200: { description: "The invited users", schema: z.array(invitedSchema) } },
    },
    async (call) => {
      if ((await services.records.groups.find(call.id)) === undefined) throw notFound("group", call.id);
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.invitations.ofGroup(call.id, page),
        position: ({ id }) => ({ value: id, id }),
        show: (invited) => invited,
      });
    },
  );
}
