import { changeUser } from "../accounts/change-user.ts";
import { createUser } from "../accounts/create-user.ts";
import type { UserRecord } from "../accounts/records.ts";
import { removeUser } from "../accounts/remove-user.ts";
import { notFound } from "../errors/directory-error.ts";
import { noContent, recordAnswer } from "../http/answer.ts";
import type { Call, Endpoints } from "../http/endpoint.ts";
import { validatePassword } from "../passwords/rules.ts";
import { type ScimUser, scimPatchSchema, scimUserSchema } from "../scim/body.ts";
import { SCIM_TYPE } from "../scim/error.ts";
import { ACCEPTS, ANSWERS, baseOf, COMMON, CREATED, REMOVED, SCIM_PATH, shownQuery } from "../scim/requests.ts";
import { isSelected, select, selectionOf } from "../scim/selection.ts";
import { patchUser } from "../scim/user-patch.ts";
import { asScimUser, fieldsOf, showScimUser, withEmail } from "../scim/user-resource.ts";
import type { Services } from "./services.ts";

const PATH = `${SCIM_PATH}/Users`;
const BASE = { ...COMMON, answers: ANSWERS, query: shownQuery } as const;
const CHANGING = {
  ...BASE,
  path: `${PATH}/{id}`,
  access: "admin",
  accepts: ACCEPTS,
  guarded: true,
  refuses: ["conflict"],
} as const;

export function scimUserRoutes(endpoints: Endpoints, services: Services): void {
  endpoints.add(
    {
      ...BASE,
      method: "post",
      path: PATH,
      summary: "Create a user",
      access: "admin",
      body: scimUserSchema,
      accepts: ACCEPTS,
      answers: CREATED,
      refuses: ["conflict"],
    },
    async (call) => {
      const fields = { externalId: null, active: true, role: "user", ...fieldsOf(withEmail(call.body)) } as const;
      const user = await createUser(
        services,
        call.actor,
        { ...fields, pass: await usablePass(services, call.body) },
        undefined,
      );
      return show(services, call, user, { status: 201, location: `${baseOf(call)}/Users/${user.id}` });
    },
  );

  endpoints.add(
    { ...BASE, method: "get", path: `${PATH}/{id}`, summary: "Read a user", access: "reader" },
    async (call) => {
      const user = await services.records.users.find(call.id);
      if (user === undefined) throw notFound("user", call.id);
      // The version is of what the user itself holds: its groups change without it.
      const isVersioned = !isSelected(selectionOf(call.query), "groups");
      return show(services, call, user, isVersioned ? { ifNoneMatch: call.ifNoneMatch } : {});
    },
  );

  endpoints.add({ ...CHANGING, method: "put", summary: "Replace a user", body: scimUserSchema }, async (call) => {
    const changes = { ...fieldsOf(withEmail(call.body)), ...passOf(call.body) };
    return show(services, call, await changeUser(services, call.actor, call.id, changes, call.precondition));
  });

  endpoints.add({ ...CHANGING, method: "patch", summary: "Change a user", body: scimPatchSchema }, async (call) => {
    const change = (before: UserRecord) => {
      const after = patchUser(asScimUser(before), call.body.Operations);
      return { ...fieldsOf(after), ...passOf(after) };
    };
    return show(services, call, await changeUser(services, call.actor, call.id, change, call.precondition));
  });

  endpoints.add(
    { ...CHANGING, method: "delete", summary: "Remove a user", answers: REMOVED },
    async ({ id, actor, precondition }) => {
      await removeUser(services, actor, id, precondition);
      return noContent();
    },
  );
}

async function show(
  { records }: Services,
  call: Pick<
    Call<{ attributes?: string | undefined; excludedAttributes?: string | undefined }, unknown>,
    "query" | "url"
  >,
  user: UserRecord,
  options: { readonly status?: number; readonly location?: string; readonly ifNoneMatch?: string | undefined } = {},
): Promise<Response> {
  const selection = selectionOf(call.query);
  const groups = isSelected(selection, "groups") ? await records.memberships.groupsOfAll([user.id]) : undefined;
  const shown = showScimUser(user, baseOf(call), groups && (groups.get(user.id) ?? []));
  return recordAnswer(user, select(shown, selection), { ...options, type: SCIM_TYPE });
}

function passOf({ password }: ScimUser): { readonly pass?: string } {
  return password == null ? {} : { pass: password };
}

/**
 * The password of a new user. Providers send a random one that nobody learns: one that breaks the rules is dropped, so that
 * the user signs in by other means instead of not at all.
 */
async function usablePass(
  { minPassLength }: Services,
  { password, userName, emails }: ScimUser,
): Promise<string | null> {
  if (password == null) return null;
  const context = { minLength: minPassLength, login: userName, email: emails?.[0]?.value ?? "" };
  return (await validatePassword(password, context)) === undefined ? password : null;
}
