/** What a field means wherever it occurs; `examples` has one for each JSON type that it occurs with. */
export interface FieldDoc {
  readonly description: string;
  readonly examples: readonly unknown[];
}

/** Records and their fields. */
const RECORDS: Readonly<Record<string, FieldDoc>> = {
  id: { description: "The record's number.", examples: [7, "7"] },
  login: { description: "The name that the user signs in with; unique among logins and e-mails.", examples: ["ann"] },
  email: { description: "The user's e-mail address; unique among logins and e-mails.", examples: ["ann@example.test"] },
  name: { description: "A name for people to read.", examples: ["Ann Lee", { givenName: "Ann", familyName: "Lee" }] },
  role: { description: "What the user may do in the directory.", examples: ["user"] },
  active: { description: "Whether the user may sign in and use tokens.", examples: [true, "true"] },
  externalId: { description: "The record's id in another system.", examples: ["00u1x2y3"] },
  version: { description: "Grows with every change; also the entity tag.", examples: [3, "12:34"] },
  createdAt: { description: "When the record was created.", examples: ["2030-01-31T08:00:00.000Z"] },
  updatedAt: { description: "When the record was last changed.", examples: ["2030-01-31T08:00:00.000Z"] },
  invitedAt: { description: "When the user was invited.", examples: ["2030-01-31T08:00:00.000Z"] },
  fields: {
    description: "Fields of the deployment's own, by name: texts, numbers, true or false.",
    examples: [{ costCentre: "4711" }],
  },
  pass: { description: "The password; never returned.", examples: ["correct horse battery"] },
  passHash: { description: "An argon2id hash in PHC form.", examples: [null] },
  current: { description: "The present password; null for a user without one.", examples: ["correct horse battery"] },
  membership: { description: "The user's role in the group.", examples: ["member"] },
  user: { description: "The signed-in user.", examples: [] },
  userId: { description: "Id of a user.", examples: [7] },
  token: { description: "The token's text.", examples: ["bth_…"] },
  tokenId: { description: "Id of the request's token; null for a client certificate.", examples: [12] },
  scopes: { description: "What the token may be used for.", examples: [["read"]] },
  label: { description: "What the token is for.", examples: ["laptop"] },
  expiresAt: { description: "When it expires; null for never.", examples: ["2030-01-31T08:00:00.000Z"] },
  lastUsedAt: { description: "When it was last used, to the minute.", examples: ["2030-01-31T08:00:00.000Z"] },
  cookie: { description: "Return the session in a cookie, for browsers.", examples: [false] },
  imported: { description: "How many users were created.", examples: [250] },
};

/** Constraints and decisions. */
const POLICY: Readonly<Record<string, FieldDoc>> = {
  owner: { description: "The user or group that the constraint applies to.", examples: [{ type: "group", id: 2 }] },
  type: { description: "The kind of owner or value.", examples: ["group"] },
  kind: {
    description: "What a constraint is about, or whether a user is a person or a service.",
    examples: ["host-ports"],
  },
  effect: { description: "Whether it limits, denies or grants.", examples: ["limit"] },
  note: { description: "Why the constraint exists.", examples: ["project 42"] },
  ports: { description: "Host ports.", examples: [[{ start: 8000, end: 8099, protocol: "tcp" }]] },
  start: { description: "First port of the range.", examples: [8000] },
  end: { description: "Last port of the range.", examples: [8099] },
  protocol: { description: "Transport protocol; all if omitted in a constraint.", examples: ["tcp"] },
  addresses: { description: "Addresses, CIDR blocks, or `*`.", examples: [["127.0.0.1"]] },
  patterns: {
    description: "Patterns of full image references; `*` matches any run.",
    examples: [["docker.io/library/*"]],
  },
  folders: { description: "Host folders.", examples: [[{ path: "/srv", readOnly: true }]] },
  path: { description: "An absolute path on the host, or of an attribute.", examples: ["/srv"] },
  readOnly: { description: "Whether it is read-only.", examples: [true] },
  privileges: { description: "Privileges of containers.", examples: [["capability:NET_ADMIN"]] },
  names: { description: "Networks of others: `NAME` or `OWNER/NAME`; `*` matches any run.", examples: [["teamnet"]] },
  subnets: { description: "Subnets of own networks: CIDR blocks, or `*`.", examples: [["10.1.0.0/16"]] },
  resource: { description: "The resource that is counted.", examples: ["memory"] },
  max: { description: "The most of it over all containers of a user; bytes for memory.", examples: [1_073_741_824] },
  subject: {
    description: "The user that is decided about.",
    examples: [{ id: 7, login: "ann", role: "user", active: true }],
  },
  baseline: { description: "What holds without constraints.", examples: [{}] },
  constraints: { description: "The constraints, or their ids.", examples: [[]] },
  unreadable: {
    description: "Constraints that this version cannot parse; each refuses everything of its kind.",
    examples: [[]],
  },
  warnings: { description: "Constraints that permit nothing or have no effect.", examples: [[], "true"] },
  warning: {
    description: "Whether they permit nothing (`empty`) or have no effect (`pointless`).",
    examples: ["empty"],
  },
  decision: { description: "Whether everything requested is permitted.", examples: ["refuse"] },
  message: { description: "The decision in words.", examples: ["host-ports 9000/tcp is outside the limit"] },
  bypass: { description: "Why no constraint applies, if so.", examples: [null] },
  checks: { description: "Each requested item with its outcome.", examples: [[]] },
  portChoices: { description: "For each requested port, the permitted ranges to choose from.", examples: [[]] },
  item: { description: "The requested item.", examples: ["9000/tcp"] },
  outcome: { description: "Whether the item is permitted.", examples: ["refuse"] },
  refusals: { description: "Why the item is refused.", examples: [[]] },
  passing: { description: "What would be permitted instead.", examples: [["8000-8099/tcp"]] },
  remedy: { description: "What would make the item pass.", examples: ["choose a port from 8000-8099"] },
  reason: { description: "Why, as a word for programs.", examples: ["outside-limit"] },
  request: {
    description: "What a container would use.",
    examples: [{ ports: [{ hostPort: { start: 9000, end: 9000 } }] }],
  },
  images: {
    description: "Images, by all their references.",
    examples: [[{ references: ["docker.io/library/nginx:1"] }]],
  },
  mounts: { description: "Mounted host folders.", examples: [[{ path: "/srv", readOnly: true }]] },
  quantities: { description: "How much of each resource is requested.", examples: [{ memory: 536_870_912 }] },
  used: { description: "How much of each resource the user's containers already use.", examples: [{ containers: 3 }] },
  sharedUse: { description: "How much of shared quotas is used, by the constraint's id.", examples: [{ "17": 3 }] },
  userIds: { description: "Ids of users.", examples: [[7, 8]] },
  references: {
    description: "References of the image, any of which may be decided on.",
    examples: [["docker.io/library/nginx:1"]],
  },
  aliases: { description: "Further names of the same image.", examples: [["docker.io/acme/web:latest"]] },
  containers: { description: "Number of containers.", examples: [3] },
  "published-ports": { description: "Number of published ports.", examples: [2] },
  memory: { description: "Memory in bytes.", examples: [536_870_912] },
  cpu: { description: "Processors.", examples: [0.5] },
  pids: { description: "Number of processes.", examples: [100] },
  networks: { description: "Number of networks, or the names of others' networks.", examples: [2] },
  storage: { description: "Bytes on disk of writable layers, logs and volumes.", examples: [10_737_418_240] },
  hostIp: { description: "Host address to bind; empty for every address.", examples: ["127.0.0.1"] },
  hostPort: { description: "A range of host ports, or `dynamic`.", examples: [{ start: 9000, end: 9000 }] },
};

/** The audit log and parameters of lists. */
const LISTS: Readonly<Record<string, FieldDoc>> = {
  at: { description: "When it happened.", examples: ["2030-01-31T08:00:00.000Z"] },
  actor: { description: "Id of the user that did it; null for the service itself.", examples: [1] },
  action: { description: "A kind of record and what was done.", examples: ["user.create"] },
  target: { description: "The record it was done to.", examples: ["user/7"] },
  before: { description: "The record before.", examples: [null] },
  after: { description: "The record after, or facts of the event.", examples: [{ login: "ann" }] },
  q: { description: "Prefix of a login, an e-mail or a name.", examples: ["an"] },
  group: { description: "Id of a group that the user is in.", examples: [2] },
  sort: { description: "The field to sort by; with a leading `-` descending.", examples: ["id"] },
  limit: { description: "Page size; the whole list if omitted.", examples: [50] },
  cursor: {
    description: "Where the page starts; from the `Link` header of the previous one.",
    examples: ["WzcsN10.c2ln"],
  },
  count: { description: "Whether to count all rows (`Total-Count`); in SCIM, the page size.", examples: ["true", 100] },
  since: { description: "First instant to include.", examples: ["2030-01-31T08:00:00.000Z"] },
  until: { description: "First instant to exclude.", examples: ["2030-02-28T08:00:00.000Z"] },
  format: { description: "The format of the export.", examples: ["json"] },
};

/** SCIM (RFC 7643 and 7644). */
const SCIM: Readonly<Record<string, FieldDoc>> = {
  schemas: {
    description: "URNs of the resource or message.",
    examples: [["urn:ietf:params:scim:schemas:core:2.0:User"]],
  },
  status: { description: "The HTTP status.", examples: ["409", 409] },
  scimType: { description: "The kind of failure (RFC 7644, table 9).", examples: ["uniqueness"] },
  detail: { description: "What was wrong, for people.", examples: ["The login is taken."] },
  userName: { description: "The login.", examples: ["ann"] },
  displayName: { description: "A name for people to read.", examples: ["Ann Lee"] },
  nickName: { description: "A familiar name.", examples: ["Ann"] },
  formatted: { description: "The full name.", examples: ["Ann Lee"] },
  givenName: { description: "The given name.", examples: ["Ann"] },
  familyName: { description: "The family name.", examples: ["Lee"] },
  emails: { description: "E-mail addresses.", examples: [[{ value: "ann@example.test", primary: true }]] },
  password: { description: "The password; never returned.", examples: ["correct horse battery"] },
  value: { description: "The value, or the id of a member.", examples: ["7"] },
  display: { description: "A name for people to read.", examples: ["Ann Lee"] },
  primary: { description: "Whether this is the main one.", examples: [true] },
  $ref: { description: "Address of the resource.", examples: ["/scim/v2/Users/7"] },
  members: { description: "Members of the group.", examples: [[{ value: "7" }]] },
  Operations: {
    description: "Changes, applied in order.",
    examples: [[{ op: "replace", path: "active", value: false }]],
  },
  op: { description: "What to do with the attribute.", examples: ["replace"] },
  filter: { description: "Which resources to return (RFC 7644, 3.4.2.2).", examples: ['userName eq "ann"'] },
  startIndex: { description: "Position of the first resource, from 1.", examples: [1, "1"] },
  sortBy: { description: "The attribute to sort by.", examples: ["userName"] },
  sortOrder: { description: "The direction of sorting.", examples: ["ascending"] },
  attributes: { description: "Attributes to return, comma-separated.", examples: ["userName,emails", ["userName"]] },
  excludedAttributes: { description: "Attributes not to return, comma-separated.", examples: ["members", ["members"]] },
};

export const FIELD_DOCS: Readonly<Record<string, FieldDoc>> = { ...SCIM, ...LISTS, ...POLICY, ...RECORDS };
