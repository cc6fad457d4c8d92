import { changeGroupAndMembers, createGroupWithMembers } from "../accounts/change-members.ts";
import { removeGroup } from "../accounts/groups.ts";
import type { GroupRecord } from "../accounts/records.ts";
import { notFound } from "../errors/directory-error.ts";
import { noContent, streamAnswer } from "../http/answer.ts";
import type { Call, Endpoints } from "../http/endpoint.ts";
import { etagOf } from "../http/etag.ts";
import { scimGroupSchema, scimPatchSchema } from "../scim/body.ts";
import { SCIM_TYPE } from "../scim/error.ts";
import { groupPatch } from "../scim/group-patch.ts";
import { groupText } from "../scim/group-resource.ts";
import {
  ACCEPTS,
  ANSWERS,
  baseOf,
  COMMON,
  CREATED,
  MAX_MEMBERS_BYTES,
  REMOVED,
  SCIM_PATH,
  shownQuery,
} from "../scim/requests.ts";
import { selectionOf } from "../scim/selection.ts";
import type { Services } from "./services.ts";

const PATH = `${SCIM_PATH}/Groups`;
const BASE = { ...COMMON, answers: ANSWERS, query: shownQuery } as const;
const WRITING = {
  ...BASE,
  access: "admin",
  accepts: ACCEPTS,
  maxBodyBytes: MAX_MEMBERS_BYTES,
  refuses: ["conflict"],
} as const;
const CHANGING = { ...WRITING, path: `${PATH}/{id}`, guarded: true } as const;

export function scimGroupRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    { ...WRITING, method: "post", path: PATH, summary: "Create a group", body: scimGroupSchema, answers: CREATED },
    async (call) => {
      const { displayName, externalId, members } = call.body;
      const fields = { name: displayName, externalId: externalId ?? null };
      const group = await createGroupWithMembers(services, call.actor, fields, members);
      return show(services, call, group, { status: 201, headers: { location: `${baseOf(call)}/Groups/${group.id}` } });
    },
  );

  endpoints.add(
    { ...BASE, method: "get", path: `${PATH}/{id}`, summary: "Read a group", access: "reader" },
    async (call) => {
      const group = await services.records.groups.find(call.id);
      if (group === undefined) throw notFound("group", call.id);
      return show(services, call, group);
    },
  );

  endpoints.add(
    { ...CHANGING, method: "put", summary: "Replace a group and its members", body: scimGroupSchema },
    async (call) => {
      const { displayName, externalId, members } = call.body;
      const changes = {
        fields: { name: displayName, ...(externalId === undefined ? {} : { externalId }) },
        members: [{ set: members }],
      };
      return show(
        services,
        call,
        await changeGroupAndMembers(services, call.actor, call.id, changes, call.precondition),
      );
    },
  );

  endpoints.add(
    { ...CHANGING, method: "patch", summary: "Change a group or its members", body: scimPatchSchema },
    async (call) => {
      const changes = groupPatch(call.body.Operations);
      return show(
        services,
        call,
        await changeGroupAndMembers(services, call.actor, call.id, changes, call.precondition),
      );
    },
  );

  endpoints.add(
    {
      ...BASE,
      method: "delete",
      path: `${PATH}/{id}`,
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

type GroupCall = Pick<
  Call<{ attributes?: string | undefined; excludedAttributes?: string | undefined }, unknown>,
  "query" | "url" | "onFault" | "cutOff"
>;

function show(
  { records }: Services,
  call: GroupCall,
  group: GroupRecord,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const { memberships, subgroups } = records;
  const source = { memberships, subgroups, base: baseOf(call), selection: selectionOf(call.query) };
  const headers = { ...options.headers, etag: etagOf(group) };
  return streamAnswer(call, groupText(group, source), SCIM_TYPE, { ...options, headers });
}
