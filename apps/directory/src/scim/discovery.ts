import { GROUP_SCHEMA, USER_SCHEMA } from "./shapes.ts";

/** What this provider can do (RFC 7643, 5). */
export const SERVICE_PROVIDER_CONFIG = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: true },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token of the directory with the scopes read and write.",
    },
  ],
};

/** RFC 7643, 6. */
export const RESOURCE_TYPES = [
  { id: "User", name: "User", endpoint: "/Users", schema: USER_SCHEMA },
  { id: "Group", name: "Group", endpoint: "/Groups", schema: GROUP_SCHEMA },
].map((one) => ({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], ...one }));

const text = (name: string, more: object = {}) => ({
  name,
  type: "string",
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...more,
});

/** The attributes that are kept (RFC 7643, 7). */
export const SCHEMAS = [
  {
    id: USER_SCHEMA,
    name: "User",
    attributes: [
      text("userName", { required: true, uniqueness: "server" }),
      text("displayName"),
      { ...text("name"), type: "complex", subAttributes: [text("formatted")] },
      {
        ...text("emails"),
        type: "complex",
        multiValued: true,
        required: true,
        subAttributes: [text("value", { uniqueness: "server" })],
      },
      { ...text("active"), type: "boolean" },
      text("externalId", { caseExact: true }),
      text("password", { mutability: "writeOnly", returned: "never" }),
    ],
  },
  {
    id: GROUP_SCHEMA,
    name: "Group",
    attributes: [
      text("displayName", { required: true, uniqueness: "server" }),
      text("externalId", { caseExact: true }),
      {
        ...text("members"),
        type: "complex",
        multiValued: true,
        subAttributes: [text("value", { mutability: "immutable" })],
      },
    ],
  },
].map((one) => ({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"], ...one }));
