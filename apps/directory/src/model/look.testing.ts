import { someUser } from "./change.testing.ts";
import { decideByModel } from "./decide.testing.ts";
import { someWish } from "./generate.testing.ts";
import { groupKeys, isAlive, isUnsure, type ModelConstraint, type World } from "./world.testing.ts";

/* Operations that compare what the directory answers with what the model holds. */

function sorted(ids: Iterable<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}

function idsOf(list: readonly { readonly id: number }[]): number[] {
  return sorted(list.map(({ id }) => id));
}

async function lists(world: World): Promise<void> {
  await world.onUser(someUser(world), "shared", async ({ id, groups }) => {
    const since = Date.now();
    const ofUser = await world.must(200, "GET", `/api/users/${id}/groups`);
    world.expect("groups of a user", sorted(groups), idsOf(ofUser.json));
    const own = [...world.constraints.values()].filter(({ owner }) => owner.type === "user" && owner.id === id);
    const listed = await world.must(200, "GET", `/api/users/${id}/constraints`);
    const unsure = unsureOf(own, since);
    const sure = (one: number) => !unsure.has(one);
    world.expect("own constraints", idsOf(own).filter(sure), idsOf(listed.json).filter(sure));
    const [group] = groups;
    const members = [...(world.groups.get(group ?? 0)?.members ?? [])].sort(([a], [b]) => a - b);
    if (group === undefined) return;
    const answer = await world.must(200, "GET", `/api/groups/${group}/members`);
    const got = answer.json as readonly { readonly id: number; readonly membership: string }[];
    world.expect(
      "members",
      members,
      got.map((one) => [one.id, one.membership] as const).sort(([a], [b]) => a - b),
    );
  });
}

interface ShownConstraint {
  readonly id: number;
  readonly kind: string;
  readonly effect: string;
  readonly owner: { readonly type: string; readonly id: number };
}

function shown({ id, kind, effect, owner }: ShownConstraint) {
  return [id, kind, effect, owner.type, owner.id];
}

/** The ids of those that may count or not. Found once, since the time goes on. */
function unsureOf(constraints: readonly ModelConstraint[], since: number): ReadonlySet<number> {
  return new Set(constraints.filter((one) => isUnsure(one, since)).map(({ id }) => id));
}

async function effective(world: World): Promise<void> {
  await world.onUser(someUser(world), "shared", async (user) => {
    const since = Date.now();
    const answer = await world.must(200, "GET", `/api/users/${user.id}/effective-constraints`);
    if (answer.status !== 200) return;
    world.baseline = answer.json.baseline;
    const held = world.heldBy(user);
    const unsure = unsureOf(held, since);
    const right = held.filter((one) => isAlive(one) && !unsure.has(one.id));
    const got = (answer.json.constraints as readonly ShownConstraint[]).filter(({ id }) => !unsure.has(id));
    world.expect("effective constraints", right.map(shown), got.map(shown), { user: user.id });
    world.expect("state of the subject", user.active, answer.json.subject.active);
    world.expect("groups that hold", sorted(world.above(user)), idsOf(answer.json.groups), { user: user.id });
  });
}

/** The subgroups of a group, and which of all users a shared quota of it binds. */
async function nesting(world: World): Promise<void> {
  const group = world.random.any([...world.groups.values()]);
  if (group === undefined) return;
  const keysOf = () => groupKeys(world.within(group.id), "shared");
  await world.holdWhile(keysOf, async () => {
    const since = Date.now();
    if (world.groups.get(group.id) !== group) return;
    const listed = await world.must(200, "GET", `/api/groups/${group.id}/subgroups`);
    world.expect("subgroups", sorted(group.subgroups), idsOf(listed.json), { group: group.id });
    const own = [...world.constraints.values()].filter(({ owner }) => owner.type === "group" && owner.id === group.id);
    const asked = world.random.any(own.filter((one) => isAlive(one) && !isUnsure(one, since)));
    if (asked === undefined) return;
    const members = new Set(
      [...world.within(group.id)].flatMap((id) => [...(world.groups.get(id)?.members.keys() ?? [])]),
    );
    const userIds = sorted(world.users.keys());
    const status = asked.kind === "shared-quota" ? 200 : 409;
    const answer = await world.must(status, "POST", `/api/constraints/${asked.id}/sharers`, { json: { userIds } });
    if (status === 200)
      world.expect(
        "sharers",
        userIds.filter((id) => members.has(id)),
        answer.json,
        { of: asked.id },
      );
  });
}

interface ShownDecision {
  readonly decision: string;
  readonly message: string;
  readonly checks: readonly { readonly kind: string; readonly outcome: string }[];
  readonly portChoices: unknown;
}

async function decide(world: World): Promise<void> {
  await world.onUser(someUser(world), "shared", async (user) => {
    const since = Date.now();
    const held = world.heldBy(user).filter(isAlive);
    if (world.baseline === undefined) return;
    const shared = held.filter(({ kind }) => kind === "shared-quota").map(({ id }) => id);
    const request = someWish(world.random, shared);
    const own = [...world.tokens.values()].find(({ userId, scope }) => userId === user.id && scope !== "write");
    const asked =
      own !== undefined && world.random.oneIn(2)
        ? { json: { request }, token: own.token }
        : { json: { userId: user.id, request } };
    const answer = await world.must(200, "POST", "/api/decisions", asked);
    if (answer.status !== 200 || unsureOf(world.heldBy(user), since).size > 0) return;
    const right = decideByModel(user, held, world.baseline, request);
    const got = answer.json as ShownDecision;
    const checks = got.checks.map(({ kind, outcome }) => `${kind}:${outcome === "allow"}`).sort();
    world.expect(
      "decision",
      [right.isAllowed, right.checks, right.portChoices],
      [got.decision === "allow", checks, got.portChoices],
      { user: { role: user.role, active: user.active }, held, request, message: got.message },
    );
    world.expect("whether a decision has a message", !right.isAllowed, got.message !== "");
  });
}

export const LOOKS = { lists, effective, nesting, decide };
