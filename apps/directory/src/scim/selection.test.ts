import { expect, test } from "vitest";
import { isSelected, select, selectionOf } from "./selection.ts";

const RESOURCE = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  id: "1",
  userName: "ann",
  name: { givenName: "Ann", familyName: "Bee" },
  emails: [{ value: "a@b", type: "work", primary: true }],
};
const { schemas, id, userName, name, emails } = RESOURCE;

test.each<[string, object, object]>([
  ["everything without parameters", {}, RESOURCE],
  ["what is always returned beside the attributes asked for", { attributes: "userName" }, { schemas, id, userName }],
  ["names in any case and with their URN", { attributes: `${schemas[0]}:USERNAME` }, { schemas, id, userName }],
  [
    "sub-attributes",
    { attributes: "name.familyName, emails.value" },
    { schemas, id, name: { familyName: "Bee" }, emails: [{ value: "a@b" }] },
  ],
  ["an attribute in whole with a part of it", { attributes: "name,name.familyName" }, { schemas, id, name }],
  ["nothing more for an attribute that is not kept", { attributes: "title" }, { schemas, id }],
  ["all but the excluded attributes", { excludedAttributes: "emails,id" }, { schemas, id, userName, name }],
  [
    "all but an excluded sub-attribute",
    { excludedAttributes: "emails.type" },
    { schemas, id, userName, name, emails: [{ value: "a@b", primary: true }] },
  ],
  ["lists of names", { attributes: ["userName"] }, { schemas, id, userName }],
  [
    "attributes before excludedAttributes",
    { attributes: "emails", excludedAttributes: "emails" },
    { schemas, id, emails },
  ],
])("shows %s", (_name, query, shown) => expect(select(RESOURCE, selectionOf(query))).toEqual(shown));

test("an attribute is selected by one of its parts", () => {
  expect(isSelected(selectionOf({ attributes: "members.value" }), "members")).toBe(true);
  expect(isSelected(selectionOf({ attributes: "userName" }), "members")).toBe(false);
  expect(isSelected(selectionOf({ excludedAttributes: "members.value" }), "members")).toBe(true);
});
