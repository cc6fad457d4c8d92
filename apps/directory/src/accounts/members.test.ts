import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";

describeDirectory("managers and members", (directory) => {
  const limit = { kind: "host-ports", ports: [{ start: 8200, end: 8210 }] };

  /** A group with a limit, its manager and a user outside it. */
  async function furnish() {
    const { send, addUser, addGroup } = directory;
    const [manager, eve] = [await addUser("manager"), await addUser("eve")];
    const group = await addGroup("web");
    await send("PUT", `/api/groups/${group}/members/${manager.id}?role=manager`);
    await send("POST", `/api/groups/${group}/constraints`, { json: limit });
    return { manager, eve, group, members: `/api/groups/${group}/members` };
  }

  const constraintsOf = async ({ id, token }: { id: number; token: string }) =>
    (await directory.send("GET", `/api/users/${id}/effective-constraints`, { token })).json.constraints;
  const idsIn = async (members: string, token: string) =>
    (await directory.send("GET", members, { token })).json.map((one: { id: number }) => one.id);

  test("a manager cannot end the group's limits for itself", async () => {
    const { manager, members } = await furnish();
    const { token } = manager;
    expect((await directory.send("DELETE", `${members}/${manager.id}`, { token })).status).toBe(403);
    expect((await directory.send("PUT", `${members}/${manager.id}?role=member`, { token })).status).toBe(403);
    expect(await constraintsOf(manager)).toHaveLength(1);
  });

  test("a member cannot leave the group's limits behind", async () => {
    const { eve, members } = await furnish();
    await directory.send("PUT", `${members}/${eve.id}`);
    expect((await directory.send("DELETE", `${members}/${eve.id}`, { token: eve.token })).status).toBe(403);
    expect(await constraintsOf(eve)).toHaveLength(1);
  });

  test("a manager's invitation binds and reveals nobody until the user accepts", async () => {
    const { manager, eve, group, members } = await furnish();
    const { send } = directory;
    expect((await send("PUT", `${members}/${eve.id}`, { token: manager.token })).status).toBe(202);
    expect(await constraintsOf(eve)).toEqual([]);
    expect(await idsIn(members, manager.token)).toEqual([manager.id]);
    expect((await send("GET", `/api/users/${eve.id}`, { token: manager.token })).status).toBe(404);
    expect((await send("GET", `/api/groups/${group}`, { token: eve.token })).status).toBe(404);
    const invitations = await send("GET", `/api/users/${eve.id}/invitations`, { token: eve.token });
    expect(invitations.json).toMatchObject([{ id: group, name: "web" }]);
    const invited = await send("GET", `/api/groups/${group}/invitations`);
    expect(invited.json).toEqual([{ id: eve.id, login: "eve", invitedAt: invitations.json[0].invitedAt }]);

    expect((await send("PUT", `${members}/${eve.id}?role=manager`, { token: eve.token })).status).toBe(403);
    expect((await send("PUT", `${members}/${eve.id}`, { token: eve.token })).status).toBe(204);
    expect(await constraintsOf(eve)).toHaveLength(1);
    expect(await idsIn(members, manager.token)).toEqual([manager.id, eve.id]);
    expect((await send("GET", `/api/users/${eve.id}/invitations`, { token: eve.token })).json).toEqual([]);
    const audit = await send("GET", `/api/audit?target=group/${group}`);
    const actions = audit.json.map((one: { action: string; actor: number }) => [one.action, one.actor]);
    expect(actions.slice(0, 2)).toEqual([
      ["membership.create", eve.id],
      ["membership.invite", manager.id],
    ]);
  });

  test.each([
    ["the user declines", "eve"],
    ["the manager withdraws it", "manager"],
    ["an administrator removes it", "admin"],
  ] as const)("an invitation ends when %s", async (_who, who) => {
    const { manager, eve, members } = await furnish();
    const token = { eve: eve.token, manager: manager.token, admin: directory.admin }[who];
    await directory.send("PUT", `${members}/${eve.id}`, { token: manager.token });
    expect((await directory.send("DELETE", `${members}/${eve.id}`, { token })).status).toBe(204);
    expect((await directory.send("PUT", `${members}/${eve.id}`, { token: eve.token })).status).toBe(404);
    expect(await constraintsOf(eve)).toEqual([]);
  });

  test("a manager cannot tell ids of users from ids of nobody", async () => {
    const { manager, eve, members } = await furnish();
    const { token } = manager;
    for (const id of [eve.id, 1, 987_654]) {
      const answer = await directory.send("PUT", `${members}/${id}`, { token });
      expect([answer.status, answer.text]).toEqual([202, ""]);
    }
  });

  test("nobody joins a group without an invitation", async () => {
    const { eve, members } = await furnish();
    for (const method of ["PUT", "DELETE"])
      expect((await directory.send(method, `${members}/${eve.id}`, { token: eve.token })).status).toBe(404);
    expect((await directory.send("PUT", `${members}/1`, { token: eve.token })).status).toBe(404);
  });

  test("an administrator adds at once, and that settles an invitation", async () => {
    const { manager, eve, members } = await furnish();
    await directory.send("PUT", `${members}/${eve.id}`, { token: manager.token });
    expect((await directory.send("PUT", `${members}/${eve.id}`)).status).toBe(204);
    const invitations = await directory.send("GET", `/api/users/${eve.id}/invitations`, { token: eve.token });
    expect(invitations.json).toEqual([]);
  });

  test("forbidden requests are audited once a minute for each actor and endpoint", async () => {
    const { eve, members } = await furnish();
    const { id, token } = eve;
    for (let n = 0; n < 3; n++) await directory.send("DELETE", `/api/users/${n + 1}`, { token });
    await directory.send("GET", "/api/users", { token });
    await directory.send("GET", members, { token });
    const entries = await directory.send("GET", "/api/audit?action=access.refuse");
    expect(entries.json).toMatchObject([
      { actor: id, target: `user/${id}`, after: { endpoint: "GET /api/users", path: "/api/users" } },
      { actor: id, target: `user/${id}`, after: { endpoint: "DELETE /api/users/{id}", path: "/api/users/1" } },
    ]);
  });
});
