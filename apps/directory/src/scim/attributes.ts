export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** An attribute as `/Schemas` describes it (RFC 7643, 7). */
export interface Attribute {
  readonly name: string;
  readonly type: "string" | "boolean" | "dateTime" | "reference" | "complex";
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: "readOnly" | "readWrite" | "immutable" | "writeOnly";
  readonly returned: "always" | "never" | "default";
  readonly uniqueness: "none" | "server";
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

function attribute(name: string, description: string, more: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: "string",
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...more,
  };
}

const READ_ONLY = { mutability: "readOnly" } as const;
const IMMUTABLE = { mutability: "immutable" } as const;
const EXTERNAL_ID = attribute("externalId", "The identity provider's own id of the resource.", { caseExact: true });

/** The attributes of a user that the directory keeps; any other is accepted and dropped. */
export const USER_ATTRIBUTES: readonly Attribute[] = [
  attribute("userName", "The login: 1 to 256 printable characters.", { required: true, uniqueness: "server" }),
  attribute("displayName", "The name shown to people; made of the parts of the name when it is left out."),
  attribute("name", "The parts of the name.", {
    type: "complex",
    subAttributes: [
      attribute("formatted", "The full name."),
      attribute("familyName", "The family name."),
      attribute("givenName", "The given name."),
    ],
  }),
  attribute("emails", "E-mail addresses; the user can sign in with the primary one, which no other user has.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The address."),
      attribute("type", "What the address is for.", { canonicalValues: ["work", "home", "other"] }),
      attribute("primary", "Whether this is the primary address.", { type: "boolean" }),
    ],
  }),
  attribute("active", "Whether the user may sign in and use its tokens; true when a user is created without it.", {
    type: "boolean",
  }),
  attribute("password", "The password. On creation, one that breaks the password rules is dropped.", {
    caseExact: true,
    mutability: "writeOnly",
    returned: "never",
  }),
  attribute("groups", "The groups that the user is a member of.", {
    ...READ_ONLY,
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The group's id.", READ_ONLY),
      attribute("$ref", "The group's address.", { ...READ_ONLY, type: "reference", referenceTypes: ["Group"] }),
      attribute("display", "The group's name.", READ_ONLY),
      attribute("type", "Whether the user itself is in the group, or one of its groups is.", {
        ...READ_ONLY,
        canonicalValues: ["direct", "indirect"],
      }),
    ],
  }),
  EXTERNAL_ID,
];

/** The attributes of a group that the directory keeps. */
export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  attribute("displayName", "The name: 1 to 256 printable characters.", { required: true, uniqueness: "server" }),
  attribute("members", "The users in the group, and the groups that are part of it.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The user's or group's id.", IMMUTABLE),
      attribute("$ref", "Its address.", { ...IMMUTABLE, type: "reference", referenceTypes: ["User", "Group"] }),
      attribute("display", "Its displayName, or the user's userName without one.", READ_ONLY),
      attribute("type", "User where it is left out.", { ...IMMUTABLE, canonicalValues: ["User", "Group"] }),
    ],
  }),
  EXTERNAL_ID,
];

const CORE_URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group)(?::|$)/i;

/** The path of an attribute in lower case and without the core schema's URN: names count in any case (RFC 7643, 2.1). */
export function attributeKey(path: string): string {
  return path.trim().replace(CORE_URN, "").toLowerCase();
}
