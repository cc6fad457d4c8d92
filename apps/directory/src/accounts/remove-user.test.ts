import { expect, test } from "vitest";
import { describeDirectory, type Received, type TestDirectory } from "../directory.testing.ts";

/*
 * A group or a user goes removal during use. Whatever is asked at that moment is answered, by what was before or by what is
 * after; what is asked once the removal has been answered never finds what it allowed.
 */
const PRIVILEGED = { request: { privileges: ["privileged"] } };

interface Asked {
  /** Whether the removal had been answered when this was asked. */
  readonly after: boolean;
  readonly answer: Received;
}

/**
 * Asks again and again from before a removal is begun until once after it was answered.
 * @param begun called when the first of all answers is there.
 */
async function askThroughout(ask: () => Promise<Received>, removal: { isOver: boolean }, begun: () => void) {
  const asked: Asked[] = [];
  for (;;) {
    const after = removal.isOver;
    asked.push({ after, answer: await ask() });
    begun();
    if (after) return asked;
  }
}

/** Removes something in the midst of askers, and gives what each was answered. */
async function removedAmid(askers: readonly (() => Promise<Received>)[], remove: () => Promise<Received>) {
  const removal = { isOver: false };
  const asking = askers.map((ask) => {
    let begun = () => {};
    const first = new Promise<void>((resolve) => {
      begun = resolve;
    });
    return { first, all: askThroughout(ask, removal, begun) };
  });
  await Promise.all(asking.map(({ first }) => first));
  expect((await remove()).status).toBe(204);
  removal.isOver = true;
  return Promise.all(asking.map(({ all }) => all));
}

function isAllowed({ answer }: Asked) {
  return answer.status === 200 && answer.json.decision === "allow";
}

/** Rows that name a user or a group that is not there. */
async function orphans({ database }: TestDirectory): Promise<unknown> {
  const rows = await database.db.execute(`
    select 'membership' as what from directory.memberships m
      where not exists (select from directory.users u where u.id = m.user_id)
        or not exists (select from directory.groups g where g.id = m.group_id)
    union all select 'constraint' from directory.constraints c
      where (user_id is not null and not exists (select from directory.users u where u.id = c.user_id))
        or (group_id is not null and not exists (select from directory.groups g where g.id = c.group_id))
    union all select 'token' from directory.tokens t where not exists (select from directory.users u where u.id = t.user_id)`);
  return [...rows];
}

describeDirectory("while it is in use", (directory) => {
  const send: TestDirectory["send"] = (...request) => directory.send(...request);
  const constrain = (owner: string, effect: string) =>
    send("POST", `/api/${owner}/constraints`, { json: { kind: "privileges", effect, privileges: ["privileged"] } });

  test("removing a group ends its grants", async () => {
    const users = [await directory.addUser("ann"), await directory.addUser("bob")];
    const group = await directory.addGroup(
      "ops",
      users.map((user) => user.id),
    );
    await constrain(`groups/${group}`, "grant");
    const deciding = users.map(
      ({ token }) =>
        () =>
          send("POST", "/api/decisions", { token, json: PRIVILEGED }),
    );
    const reading = users.map(
      ({ id }) =>
        () =>
          send("GET", `/api/users/${id}/effective-constraints`),
    );
    const asked = await removedAmid([...deciding, ...reading], () => send("DELETE", `/api/groups/${group}`));
    for (const one of asked.flat()) expect(one.answer.status).toBe(200);
    for (const [first, ...rest] of asked.slice(0, users.length)) {
      expect(first && isAllowed(first)).toBe(true);
      expect(rest.filter((one) => one.after && isAllowed(one))).toEqual([]);
    }
    for (const answers of asked.slice(users.length)) {
      expect(answers.at(0)?.answer.json.constraints).toHaveLength(1);
      expect(answers.at(-1)?.answer.json.constraints).toEqual([]);
    }
    expect(await orphans(directory)).toEqual([]);
    expect(directory.faults).toEqual([]);
  });

  test("removing a user ends its tokens and decisions and leaves no rows", async () => {
    const { id, token } = await directory.addUser("ann");
    const group = await directory.addGroup("ops", [id]);
    await constrain(`users/${id}`, "grant");
    const askers = [
      () => send("POST", "/api/decisions", { token, json: PRIVILEGED }),
      () => send("POST", "/api/decisions", { json: { ...PRIVILEGED, userId: id } }),
      () => send("GET", `/api/users/${id}/effective-constraints`),
      () => send("GET", "/api/me", { token }),
      () => send("POST", "/api/tokens", { token, json: { label: "more", scopes: ["read"] } }),
      () => send("PUT", `/api/groups/${group}/members/${id}`),
      () => constrain(`users/${id}`, "limit"),
    ];
    const allowed = [[200], [200], [200], [200], [201], [204], [201]];
    const refused = [401, 404, 404, 401, 401, 404, 404];
    const asked = await removedAmid(askers, () => send("DELETE", `/api/users/${id}`));
    for (const [n, answers] of asked.entries()) {
      expect(allowed[n]).toContain(answers[0]?.answer.status);
      // At the moment itself it may be the user, its token or the group that is found gone first.
      for (const { answer } of answers) expect([...(allowed[n] ?? []), 401, 404]).toContain(answer.status);
      for (const one of answers.filter(({ after }) => after)) expect(one.answer.status).toBe(refused[n]);
    }
    expect(asked[0]?.[0] && isAllowed(asked[0][0])).toBe(true);
    expect(
      asked
        .slice(0, 2)
        .flat()
        .filter((one) => one.after && isAllowed(one)),
    ).toEqual([]);
    expect(await orphans(directory)).toEqual([]);
    expect(directory.faults).toEqual([]);
  });
});
