import type { Rule } from "./decide.testing.ts";
import { someRule } from "./generate.testing.ts";
import { groupKeys, type ModelGroup, type ModelUser, type World } from "./world.testing.ts";

/* Operations that change the directory, each by one of the ways in which it can be done. */

const SCIM = { "content-type": "application/scim+json" };
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

function patched(operation: object) {
  return { headers: SCIM, json: { schemas: [PATCH], Operations: [operation] } };
}

export function someUser({ users, random }: World): ModelUser | undefined {
  return random.any([...users.values()]);
}

/** Held by whatever changes which groups are part of which, so that what has to come out is known. */
const NESTING = "nesting";

function someGroup({ groups, random }: World): ModelGroup | undefined {
  return random.any([...groups.values()]);
}

/** Up to three creates of one login at once: with a key all are one, without one of them succeeds. */
async function addUser(world: World): Promise<void> {
  const { random, run, operations } = world;
  const login = `${run}-${operations}`;
  const role = random.oneIn(12) ? random.pick(["operator", "admin"]) : "user";
  const isRepeat = random.oneIn(2);
  const asked = {
    json: { login, email: `${login}@example.test`, role },
    headers: isRepeat ? { "idempotency-key": `k${login}` } : {},
  };
  const creates = Array.from({ length: 1 + random.below(3) }, () => world.send("POST", "/api/users", asked));
  const answers = await Promise.all(creates);
  const made = answers.filter(({ status }) => status === 201);
  const ids = new Set(made.map(({ json }) => json.id as number));
  const [id] = ids;
  const others = answers.filter(({ status }) => status !== 201 && status !== 409);
  if (id === undefined || ids.size > 1 || others.length > 0 || (!isRepeat && made.length > 1))
    return world.differs("creates at once", { isRepeat, got: answers.map(({ status, json }) => [status, json?.id]) });
  world.users.set(id, { id, login, role, active: true, groups: new Set() });
}

async function removeUser(world: World): Promise<void> {
  if (world.users.size < 8) return;
  await world.onUser(someUser(world), "removal", async ({ id, groups }) => {
    await world.must(204, "DELETE", `/api/users/${id}`);
    world.users.delete(id);
    for (const group of groups) world.groups.get(group)?.members.delete(id);
    for (const gone of world.dropConstraints("user", id)) await world.must(404, "GET", `/api/constraints/${gone}`);
    await world.dropTokens(id);
    await world.must(404, "GET", `/api/users/${id}`);
  });
}

async function addGroup(world: World): Promise<void> {
  const made = await world.must(201, "POST", "/api/groups", { json: { name: `${world.run} g${world.operations}` } });
  if (made.status === 201)
    world.groups.set(made.json.id, { id: made.json.id, members: new Map(), subgroups: new Set() });
}

async function removeGroup(world: World): Promise<void> {
  const group = someGroup(world);
  if (group === undefined || world.groups.size < 4) return;
  await world.hold({ [`group ${group.id}`]: "alone", [NESTING]: "alone" }, async () => {
    if (world.groups.get(group.id) !== group) return;
    await world.must(204, "DELETE", `/api/groups/${group.id}`);
    world.groups.delete(group.id);
    for (const { subgroups } of world.groups.values()) subgroups.delete(group.id);
    for (const id of group.members.keys()) world.users.get(id)?.groups.delete(group.id);
    world.dropConstraints("group", group.id);
    await world.must(404, "GET", `/api/groups/${group.id}/constraints`);
  });
}

/** Holds a user and a group, unless one of them is gone by then. */
async function onMember(
  world: World,
  user: ModelUser | undefined,
  group: ModelGroup | undefined,
  work: (user: ModelUser, group: ModelGroup) => Promise<void>,
): Promise<void> {
  if (user === undefined || group === undefined) return;
  await world.hold({ [`user ${user.id}`]: "alone", [`group ${group.id}`]: "alone" }, async () => {
    if (world.users.get(user.id) === user && world.groups.get(group.id) === group) await work(user, group);
  });
}

/** By SCIM, or by one or two puts at once. */
async function join(world: World): Promise<void> {
  await onMember(world, someUser(world), someGroup(world), async (user, group) => {
    const { random } = world;
    const role = random.pick([undefined, undefined, "member", "manager"]);
    const puts = random.below(3);
    if (puts === 0) {
      const add = { op: "add", path: "members", value: [{ value: String(user.id) }] };
      await world.must(200, "PATCH", `/scim/v2/Groups/${group.id}`, patched(add));
    }
    const path = `/api/groups/${group.id}/members/${user.id}${role === undefined ? "" : `?role=${role}`}`;
    await Promise.all(Array.from({ length: puts }, () => world.must(204, "PUT", path)));
    const before = group.members.get(user.id) ?? "member";
    group.members.set(user.id, puts === 0 ? before : (role ?? before));
    user.groups.add(group.id);
  });
}

async function leave(world: World): Promise<void> {
  const user = someUser(world);
  const group = world.groups.get(world.random.any([...(user?.groups ?? [])]) ?? 0);
  await onMember(world, user, group, async ({ id, groups }, { id: groupId, members }) => {
    const remove = { op: "remove", path: `members[value eq "${id}"]` };
    if (world.random.oneIn(2)) await world.must(200, "PATCH", `/scim/v2/Groups/${groupId}`, patched(remove));
    else await world.must(204, "DELETE", `/api/groups/${groupId}/members/${id}`);
    members.delete(id);
    groups.delete(groupId);
  });
}

/** How many groups a chain of subgroups may have. */
const DEEPEST = 16;

function mayNest(world: World, group: ModelGroup, subgroup: ModelGroup): boolean {
  return (
    !world.within(subgroup.id).has(group.id) &&
    world.chain(group.id, "up") + world.chain(subgroup.id, "down") <= DEEPEST
  );
}

/** Makes a group part of another, by SCIM or a put; or by two puts at once that together would close a circle. */
async function nest(world: World): Promise<void> {
  const { random } = world;
  const [group, subgroup] = [someGroup(world), someGroup(world)];
  if (group === undefined || subgroup === undefined) return;
  const keys = { ...groupKeys([group.id, subgroup.id], "alone"), [NESTING]: "alone" } as const;
  await world.hold(keys, async () => {
    if (world.groups.get(group.id) !== group || world.groups.get(subgroup.id) !== subgroup) return;
    const put = ([upper, lower]: readonly [ModelGroup, ModelGroup]) =>
      ["PUT", `/api/groups/${upper.id}/subgroups/${lower.id}`] as const;
    const orders = [[group, subgroup] as const, [subgroup, group] as const];
    if (random.oneIn(3) && group !== subgroup && orders.every(([upper, lower]) => mayNest(world, upper, lower))) {
      const answers = await Promise.all(orders.map((order) => world.send(...put(order))));
      const statuses = answers.map(({ status }) => status);
      world.expect("two halves of a circle", [204, 409], statuses.toSorted());
      for (const [at, [upper, lower]] of orders.entries()) if (statuses[at] === 204) upper.subgroups.add(lower.id);
      return;
    }
    const isAllowed = mayNest(world, group, subgroup);
    const add = { op: "add", path: "members", value: [{ value: String(subgroup.id), type: "Group" }] };
    if (random.oneIn(3)) await world.must(isAllowed ? 200 : 409, "PATCH", `/scim/v2/Groups/${group.id}`, patched(add));
    else await world.must(isAllowed ? 204 : 409, ...put([group, subgroup]));
    if (isAllowed) group.subgroups.add(subgroup.id);
  });
}

async function unnest(world: World): Promise<void> {
  const group = someGroup(world);
  const subgroup = world.random.any([...(group?.subgroups ?? [])]);
  if (group === undefined || subgroup === undefined) return;
  await world.hold({ ...groupKeys([group.id, subgroup], "alone"), [NESTING]: "alone" }, async () => {
    if (world.groups.get(group.id) !== group || !world.groups.has(subgroup)) return;
    const remove = { op: "remove", path: `members[value eq "${subgroup}" and type eq "Group"]` };
    if (world.random.oneIn(2)) await world.must(200, "PATCH", `/scim/v2/Groups/${group.id}`, patched(remove));
    else await world.must(204, "DELETE", `/api/groups/${group.id}/subgroups/${subgroup}`);
    group.subgroups.delete(subgroup);
  });
}

async function constrain(world: World): Promise<void> {
  const type = world.random.pick(["user", "group"]) as "user" | "group";
  const owner = type === "user" ? someUser(world) : someGroup(world);
  if (owner === undefined) return;
  await world.hold({ [`${type} ${owner.id}`]: "alone" }, async () => {
    const records: ReadonlyMap<number, unknown> = type === "user" ? world.users : world.groups;
    if (records.get(owner.id) !== owner) return;
    const rule = someRule(world.random);
    const status = isPossible(rule, type) ? 201 : 422;
    const made = await world.must(status, "POST", `/api/${type}s/${owner.id}/constraints`, { json: rule });
    if (made.status !== 201) return;
    const { id, version } = made.json;
    world.constraints.set(id, { id, version, owner: { type, id: owner.id }, ...rule });
  });
}

/** Nobody shares a quota with itself. */
function isPossible({ kind }: Rule, owner: "user" | "group"): boolean {
  return kind !== "shared-quota" || owner === "group";
}

/** Replaces a constraint, sometimes by a stale version, or removes it. */
async function reconstrain(world: World): Promise<void> {
  const { random } = world;
  const chosen = random.any([...world.constraints.values()]);
  if (chosen === undefined) return;
  await world.hold({ [`${chosen.owner.type} ${chosen.owner.id}`]: "alone" }, async () => {
    const before = world.constraints.get(chosen.id);
    if (before === undefined) return;
    const path = `/api/constraints/${before.id}`;
    if (random.oneIn(3)) {
      await world.must(204, "DELETE", path);
      world.constraints.delete(before.id);
      return;
    }
    const rule = someRule(random);
    const isStale = random.oneIn(4);
    const headers = { "if-match": `"${before.version + (isStale ? 7 : 0)}"` };
    const status = isPossible(rule, before.owner.type) ? 200 : 422;
    const replaced = await world.must(isStale ? 412 : status, "PUT", path, { json: rule, headers });
    if (replaced.status === 200)
      world.constraints.set(before.id, { id: before.id, owner: before.owner, version: replaced.json.version, ...rule });
  });
}

/** Disables a user or enables it again; a disabled user's tokens are gone for good. */
async function able(world: World): Promise<void> {
  await world.onUser(someUser(world), "alone", async (user) => {
    const active = !user.active;
    const replace = { op: "Replace", path: "active", value: active ? "True" : "False" };
    if (world.random.oneIn(2)) await world.must(200, "PATCH", `/scim/v2/Users/${user.id}`, patched(replace));
    else await world.must(200, "PATCH", `/api/users/${user.id}`, { json: { active } });
    user.active = active;
    if (!active) await world.dropTokens(user.id);
  });
}

async function addToken(world: World): Promise<void> {
  await world.onUser(someUser(world), "alone", async ({ id, active }) => {
    const scope = world.random.pick(["read", "write", "engine"]);
    const made = await world.send("POST", "/api/tokens", { json: { label: "model", scopes: [scope], userId: id } });
    if (!active) {
      if (made.status === 201) await world.must(401, "GET", "/api/me", { token: made.json.token });
      return;
    }
    world.expect("status of a new token", 201, made.status, { text: made.text });
    if (made.status !== 201) return;
    world.tokens.set(made.json.id, { token: made.json.token, userId: id, scope });
    const me = await world.must(200, "GET", "/api/me", { token: made.json.token });
    world.expect("whose token it is", id, me.json?.id);
  });
}

async function revokeToken(world: World): Promise<void> {
  const [id, token] = world.random.any([...world.tokens]) ?? [];
  if (id === undefined || token === undefined) return;
  await world.onUser(world.users.get(token.userId), "alone", async () => {
    if (!world.tokens.delete(id)) return;
    await world.must(204, "DELETE", `/api/tokens/${id}`);
    await world.must(401, "GET", "/api/me", { token: token.token });
  });
}

export const CHANGES = {
  addUser,
  removeUser,
  addGroup,
  removeGroup,
  join,
  leave,
  nest,
  unnest,
  constrain,
  reconstrain,
  able,
  addToken,
  revokeToken,
};
