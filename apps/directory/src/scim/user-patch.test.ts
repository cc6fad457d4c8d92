import { expect, test } from "vitest";
import { DirectoryError } from "../errors/directory-error.ts";
import { type ScimOperation, type ScimUser, scimPatchSchema } from "./body.ts";
import { patchUser } from "./user-patch.ts";

function work(value: string) {
  return { value, type: "work", primary: true };
}
function home(value: string) {
  return { value, type: "home", primary: false };
}
const USER: ScimUser = {
  userName: "ann",
  displayName: null,
  name: { formatted: null, givenName: "Ann", familyName: "Bee" },
  emails: [work("a@work.test"), home("a@home.test")],
  active: true,
  externalId: "e1",
};
function patched(user: ScimUser, operations: readonly object[]): ScimUser {
  return patchUser(user, scimPatchSchema.parse({ Operations: operations }).Operations as ScimOperation[]);
}

test.each<[string, object[], Partial<ScimUser>]>([
  ["Replace in any letter case", [{ op: "Replace", path: "USERNAME", value: "bob" }], { userName: "bob" }],
  ["booleans as texts", [{ op: "Replace", path: "active", value: "False" }], { active: false }],
  ["a value as a list of one", [{ op: "replace", path: "active", value: [{ value: "False" }] }], { active: false }],
  [
    "an object without a path",
    [{ op: "add", value: { externalId: "e2", active: false } }],
    { externalId: "e2", active: false },
  ],
  [
    "dotted names without a path",
    [{ op: "Add", value: { "name.givenName": "Eve", 'emails[type eq "work"].value': "e@work.test" } }],
    { name: { ...USER.name, givenName: "Eve" }, emails: [work("e@work.test"), home("a@home.test")] },
  ],
  [
    "names with the core schema's URN",
    [{ op: "replace", path: "urn:ietf:params:scim:schemas:core:2.0:User:name.familyName", value: "Cox" }],
    { name: { ...USER.name, familyName: "Cox" } },
  ],
  [
    "one part of the name",
    [{ op: "replace", value: { name: { givenName: "Eve" } } }],
    { name: { ...USER.name, givenName: "Eve" } },
  ],
  [
    "an empty text as a removal",
    [{ op: "replace", path: "name.familyName", value: "" }],
    { name: { ...USER.name, familyName: null } },
  ],
  [
    "the removal of the name",
    [{ op: "remove", path: "name" }],
    { name: { formatted: null, givenName: null, familyName: null } },
  ],
  ["the removal of externalId", [{ op: "remove", path: "externalId" }], { externalId: null }],
  [
    "the work address",
    [{ op: "Replace", path: 'emails[type eq "work"].value', value: "b@work.test" }],
    { emails: [work("b@work.test"), home("a@home.test")] },
  ],
  [
    "an address of a new type",
    [{ op: "Add", path: 'emails[type eq "other"].value', value: "a@other.test" }],
    { emails: [...(USER.emails ?? []), { value: "a@other.test", type: "other" }] },
  ],
  [
    "an address added to the others",
    [{ op: "add", path: "emails", value: [home("b@home.test")] }],
    { emails: [...(USER.emails ?? []), home("b@home.test")] },
  ],
  [
    "a list in place of all addresses",
    [{ op: "replace", path: "emails", value: [home("b@home.test")] }],
    { emails: [home("b@home.test")] },
  ],
  [
    "another primary address",
    [{ op: "replace", path: 'emails[type eq "home"].primary', value: "True" }],
    {
      emails: [
        { ...work("a@work.test"), primary: false },
        { ...home("a@home.test"), primary: true },
      ],
    },
  ],
  ["the removal of one type", [{ op: "Remove", path: 'emails[type eq "work"]' }], { emails: [home("a@home.test")] }],
  [
    "the removal of a value",
    [{ op: "Remove", path: 'emails[type eq "work"].value' }],
    { emails: [home("a@home.test")] },
  ],
  [
    "the removal of listed addresses",
    [{ op: "remove", path: "emails", value: [{ value: "A@home.test" }] }],
    { emails: [work("a@work.test")] },
  ],
  ["the removal of all addresses", [{ op: "remove", path: "emails" }], { emails: [] }],
  [
    "a filter of several parts",
    [{ op: "remove", path: 'emails[type eq "home" and not (value sw "b")]' }],
    { emails: [work("a@work.test")] },
  ],
  ["nothing where a removal finds nothing", [{ op: "remove", path: 'emails[type eq "fax"].value' }], {}],
  [
    "nothing for attributes that are not kept, and the rest of the request",
    [
      { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "IT" },
      { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "+1 555" },
      { op: "Replace", path: 'addresses[type eq "work"].formatted', value: "18/2111" },
      { op: "Remove", path: "title" },
      { op: "Remove", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager" },
      { op: "Remove", path: 'phoneNumbers[type eq "mobile"].value' },
      { op: "Replace", path: "id", value: "77" },
      { op: "Replace", value: { schemas: [], meta: {}, nickName: "A", "urn:example:2.0:User": { x: 1 } } },
      { op: "Replace", path: "userName", value: "bob" },
    ],
    { userName: "bob" },
  ],
])("a PATCH takes %s", (_name, operations, changes) =>
  expect(patched(USER, operations)).toEqual({ ...USER, ...changes }),
);

test.each<[string, object, string]>([
  ["a removal without a path", { op: "remove" }, "A remove operation needs a path."],
  ["a value without a path that is no object", { op: "add", value: "x" }, "must be an object"],
  ["the removal of userName", { op: "remove", path: "userName" }, "A user always has userName"],
  ["the removal of active", { op: "remove", path: "active" }, "A user always has active"],
  ["an empty userName", { op: "replace", path: "userName", value: "" }, "/userName must have 1 to 256 characters"],
  ["a path that is not one", { op: "add", path: 'emails[type eq "work"', value: "x" }, "does not follow RFC 7644"],
  ["a filter that is not one", { op: "add", path: 'emails[type is "work"]', value: "x" }, "has the operator is"],
  [
    "a filter that no address meets",
    { op: "replace", path: 'emails[value co "z"].type', value: "x" },
    "No e-mail address meets",
  ],
  [
    "an address that is not one",
    { op: "replace", path: "emails", value: [{ value: "x" }] },
    "/emails/0/value must have one @",
  ],
  ["a name that is a text", { op: "replace", path: "name", value: "Ann" }, "must be an object with its parts"],
])("refuses %s", (_name, operation, detail) => {
  expect(() => patched(USER, [operation])).toThrow(DirectoryError);
  expect(() => patched(USER, [operation])).toThrow(detail);
});
