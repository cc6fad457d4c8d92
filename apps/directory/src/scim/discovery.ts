import { GROUP_ATTRIBUTES, GROUP_SCHEMA, USER_ATTRIBUTES, USER_SCHEMA } from "./attributes.ts";

export const MAX_RESULTS = 200;

interface Document {
  readonly id: string;
  readonly body: object;
}

/**
 * What the provider supports (RFC 7643, 5).
 * @param base the absolute address of the SCIM service, without a slash at the end.
 */
export function serviceProviderConfig(base: string): object {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: true },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "A token of an administrator with the scopes read and write.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
  };
}

/** The resource types (RFC 7643, 6). */
export function resourceTypes(base: string): readonly Document[] {
  return [
    { id: "User", endpoint: "/Users", description: "User account", schema: USER_SCHEMA },
    { id: "Group", endpoint: "/Groups", description: "Group of users", schema: GROUP_SCHEMA },
  ].map(({ id, ...rest }) => ({
    id,
    body: {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
      id,
      name: id,
      ...rest,
      schemaExtensions: [],
      meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${id}` },
    },
  }));
}

/** The schemas with every attribute that is kept (RFC 7643, 7). */
export function schemaDocuments(base: string): readonly Document[] {
  return [
    { id: USER_SCHEMA, name: "User", description: "User account", attributes: USER_ATTRIBUTES },
    { id: GROUP_SCHEMA, name: "Group", description: "Group of users", attributes: GROUP_ATTRIBUTES },
  ].map(({ id, ...rest }) => ({
    id,
    body: {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
      id,
      ...rest,
      meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
    },
  }));
}
