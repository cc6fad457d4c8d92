import type { GroupId, Owner, UserId } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import {
  addConstraint,
  changeConstraint,
  readConstraint,
  removeConstraint,
  sharersOf,
} from "../accounts/constraints.ts";
import { notFound } from "../errors/directory-error.ts";
import { jsonAnswer, noContent, recordAnswer } from "../http/answer.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { listAnswer } from "../http/list.ts";
import { idSchema, PAGE_PARAMETERS } from "../http/schemas/common.ts";
import { constraintFieldsSchema, constraintSchema, sharersSchema, showConstraint } from "../http/schemas/constraint.ts";
import type { Services } from "./services.ts";

const TAG = "Constraints";

export function constraintRoutes(endpoints: Endpoints, services: Services): void {
  ownedRoutes(endpoints, services, {
    path: "/api/users/{id}/constraints",
    access: "self-or-reader",
    ownerOf: (id) => ({ type: "user", id: id as UserId }),
  });
  ownedRoutes(endpoints, services, {
    path: "/api/groups/{id}/constraints",
    access: "member-or-reader",
    ownerOf: (id) => ({ type: "group", id: id as GroupId }),
  });

  endpoints.add(
    {
      method: "get",
      path: "/api/constraints/{id}",
      tag: TAG,
      summary: "Read a constraint; users see their own and those of their groups",
      access: "signed-in",
      answers: {
        200: { description: "The constraint", schema: constraintSchema },
        304: { description: "Not modified" },
      },
    },
    async (call) => {
      const constraint = await readConstraint(services, call.actor, call.id);
      return recordAnswer(constraint, showConstraint(constraint), { ifNoneMatch: call.ifNoneMatch });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: "/api/constraints/{id}/sharers",
      operationId: "listSharers",
      tag: TAG,
      summary: "Find out which of some users a shared quota binds, among whom the asking user is one",
      access: "signed-in",
      scopes: ["read", "engine"],
      body: sharersSchema,
      maxBodyBytes: 1_024 * 1_024,
      answers: { 200: { description: "Those of the ids that share it", schema: z.array(idSchema) } },
      refuses: ["conflict"],
    },
    async (call) => jsonAnswer(await sharersOf(services, call.actor, call.id, call.body.userIds)),
  );

  endpoints.add(
    {
      method: "put",
      path: "/api/constraints/{id}",
      tag: TAG,
      summary: "Replace a constraint, keeping its owner",
      access: "admin",
      body: constraintFieldsSchema,
      guarded: true,
      answers: { 200: { description: "The constraint", schema: constraintSchema } },
    },
    async (call) => {
      const constraint = await changeConstraint(services, call.actor, call.id, call.body, call.precondition);
      return recordAnswer(constraint, showConstraint(constraint));
    },
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/constraints/{id}",
      tag: TAG,
      summary: "Remove a constraint",
      access: "admin",
      guarded: true,
      answers: { 204: { description: "Removed" } },
    },
    async (call) => {
      await removeConstraint(services, call.actor, call.id, call.precondition);
      return noContent();
    },
  );
}

/** The list and create endpoints, which users and groups share. */
function ownedRoutes(
  endpoints: Endpoints,
  services: Services,
  owned: {
    readonly path: string;
    readonly access: "self-or-reader" | "member-or-reader";
    readonly ownerOf: (id: number) => Owner;
  },
): void {
  endpoints.add(
    {
      method: "get",
      path: owned.path,
      tag: TAG,
      summary: "List the owner's own constraints",
      access: owned.access,
      query: z.strictObject(PAGE_PARAMETERS),
      answers: { 200: { description: "The constraints", schema: z.array(constraintSchema) } },
    },
    async (call) => {
      const owner = owned.ownerOf(call.id);
      const { users, groups, constraints } = services.records;
      const found = owner.type === "user" ? await users.find(owner.id) : await groups.find(owner.id);
      if (found === undefined) throw notFound(owner.type, owner.id);
      return listAnswer(call, services.cursors, {
        fetch: (page) => constraints.ownedBy(owner, page),
        position: (constraint) => ({ value: constraint.id, id: constraint.id }),
        show: showConstraint,
      });
    },
  );

  endpoints.add(
    {
      method: "post",
      path: owned.path,
      tag: TAG,
      summary: "Add a constraint to the owner",
      access: "admin",
      body: constraintFieldsSchema,
      repeatable: true,
      answers: { 201: { description: "The constraint", schema: constraintSchema } },
      refuses: ["conflict"],
    },
    async (call) => {
      const owner = owned.ownerOf(call.id);
      const constraint = await addConstraint(services, call.actor, owner, call.body, call.idempotency);
      const location = `/api/constraints/${constraint.id}`;
      return recordAnswer(constraint, showConstraint(constraint), { status: 201, location });
    },
  );
}
