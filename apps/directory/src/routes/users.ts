import { fold } from "@berth/directory-domain";
import { omitUndefined } from "@berth/service-kit/omit-undefined";
import { z } from "@hono/zod-openapi";
import { changeUser } from "../accounts/change-user.ts";
import { createUser } from "../accounts/create-user.ts";
import type { UserRecord } from "../accounts/records.ts";
import { removeUser } from "../accounts/remove-user.ts";
import type { USER_SORTS, UserQuery } from "../accounts/stores.ts";
import { notFound } from "../errors/directory-error.ts";
import { noContent, recordAnswer } from "../http/answer.ts";
import { type Endpoints, PATCH_TYPES } from "../http/endpoint.ts";
import { listAnswer } from "../http/list.ts";
import { mergeOwnFields, PAGE_PARAMETERS } from "../http/schemas/common.ts";
import { groupOfUserSchema, showGroupOfUser } from "../http/schemas/group.ts";
import {
  newUserSchema,
  patchedUserSchema,
  replacedUserSchema,
  showUser,
  userQuerySchema,
  userSchema,
} from "../http/schemas/user.ts";
import type { Services } from "./services.ts";

const TAG = "Users";

export function userRoutes(endpoints: Endpoints, services: Services): void {
  userListRoutes(endpoints, services);
  userRecordRoutes(endpoints, services);
}

function userListRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/users",
      tag: TAG,
      summary: "List users",
      access: "reader",
      query: userQuerySchema,
      answers: { 200: { description: "The users", schema: z.array(userSchema) } },
    },
    (call) => {
      const query = userQueryOf(call.query);
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.users.page(query, page),
        count: () => services.records.users.count(query),
        position: (user) => ({ value: sortValue(user, call.query.sort.by), id: user.id }),
        show: showUser,
      });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/users",
      tag: TAG,
      summary: "Create a user",
      access: "admin",
      body: newUserSchema,
      repeatable: true,
      answers: { 201: { description: "The user", schema: userSchema } },
      refuses: ["conflict"],
    },
    async (call) => {
      const user = await createUser(services, call.actor, call.body, call.idempotency);
      return recordAnswer(user, showUser(user), { status: 201, location: `/api/users/${user.id}` });
    },
  );
}

function userRecordRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/users/{id}",
      tag: TAG,
      summary: "Read a user",
      access: "self-or-reader",
      answers: { 200: { description: "The user", schema: userSchema }, 304: { description: "Not modified" } },
    },
    async (call) => {
      const user = await services.records.users.find(call.id);
      if (user === undefined) throw notFound("user", call.id);
      return recordAnswer(user, showUser(user), { ifNoneMatch: call.ifNoneMatch });
    },
  );

  const changing = {
    path: "/api/users/{id}",
    tag: TAG,
    access: "self-or-admin",
    guarded: true,
    answers: { 200: { description: "The user", schema: userSchema } },
    refuses: ["conflict"],
  } as const;
  endpoints.add(
    { ...changing, method: "put", summary: "Replace a user's fields", body: replacedUserSchema },
    async (call) => {
      const user = await changeUser(services, call.actor, call.id, omitUndefined(call.body), call.precondition);
      return recordAnswer(user, showUser(user));
    },
  );
  endpoints.add(
    {
      ...changing,
      method: "patch",
      summary: "Change some of a user's fields",
      body: patchedUserSchema,
      accepts: PATCH_TYPES,
    },
    async (call) => {
      const { fields, ...rest } = omitUndefined(call.body);
      const change = (before: UserRecord) =>
        fields === undefined ? rest : { ...rest, fields: mergeOwnFields(before.fields, fields) };
      const user = await changeUser(services, call.actor, call.id, change, call.precondition);
      return recordAnswer(user, showUser(user));
    },
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/users/{id}",
      tag: TAG,
      summary: "Remove a user with its memberships, constraints and tokens",
      access: "admin",
      guarded: true,
      answers: { 204: { description: "Removed" } },
      refuses: ["conflict"],
    },
    async (call) => {
      await removeUser(services, call.actor, call.id, call.precondition);
      return noContent();
    },
  );

  endpoints.add(
    {
      method: "get",
      path: "/api/users/{id}/groups",
      tag: TAG,
      summary: "List the groups of a user",
      access: "self-or-reader",
      query: z.strictObject(PAGE_PARAMETERS),
      answers: { 200: { description: "The groups", schema: z.array(groupOfUserSchema) } },
    },
    async (call) => {
      if ((await services.records.users.find(call.id)) === undefined) throw notFound("user", call.id);
      return listAnswer(call, services.cursors, {
        fetch: (page) => services.records.memberships.groupsOf(call.id, page),
        position: ({ group }) => ({ value: group.id, id: group.id }),
        show: showGroupOfUser,
      });
    },
  );
}

function userQueryOf(query: z.output<typeof userQuerySchema>): UserQuery {
  const { limit: _limit, cursor: _cursor, count: _count, sort, ...filter } = query;
  return { ...omitUndefined(filter), sort };
}

function sortValue(user: UserRecord, by: (typeof USER_SORTS)[number]): string | number {
  // Logins and e-mails are in the order of their folded form.
  return by === "id" ? user.id : by === "createdAt" ? user.createdAt : fold(user[by] ?? "");
}
