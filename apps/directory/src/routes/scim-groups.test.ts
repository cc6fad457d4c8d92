import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { GROUP_URN, scimClient } from "./scim.testing.ts";

describeDirectory("SCIM groups", (directory) => {
  const { send, patch, addUser } = scimClient(directory);
  const addUsers = async (...names: string[]) => {
    const ids: string[] = [];
    for (const name of names) ids.push(await addUser(name));
    return ids;
  };
  const membersOf = async (path: string) =>
    (await send("GET", path)).json.members.map((one: { value: string }) => one.value);

  test("a group is created, read and replaced with its members", async () => {
    const [ann = "", bob = ""] = await addUsers("ann", "bob");
    const displayName = "Ops – o'brien #EXT# (EU/West)";
    const made = await send("POST", "/Groups", { displayName, externalId: "g1", members: [{ value: ann }] });
    const location = `http://directory.test/scim/v2/Groups/${made.json.id}`;
    expect([made.status, made.headers.get("location"), made.headers.get("etag")]).toEqual([201, location, '"1"']);
    expect(made.json).toEqual({
      schemas: [GROUP_URN],
      id: made.json.id,
      externalId: "g1",
      displayName,
      members: [{ value: ann, $ref: `http://directory.test/scim/v2/Users/${ann}`, display: "ann", type: "User" }],
      meta: {
        resourceType: "Group",
        created: expect.any(String),
        lastModified: expect.any(String),
        location,
        version: '"1"',
      },
    });
    const path = `/Groups/${made.json.id}`;
    const long = "x".repeat(256);
    const replaced = await send("PUT", path, { displayName: long, members: [{ value: bob }] });
    expect(replaced.json).toMatchObject({ displayName: long, externalId: "g1", members: [{ value: bob }] });
    expect((await send("PUT", path, { displayName: long }, { "if-match": '"1"' })).status).toBe(412);
    expect((await send("PUT", path, { displayName: long })).json.members).toEqual([]);
    const taken = await send("POST", "/Groups", { displayName: long.toUpperCase() });
    expect([taken.status, taken.json.scimType]).toEqual([409, "uniqueness"]);
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("GET", path)).status).toBe(404);
  });

  test("members are added, removed by value and by filter, replaced, and keep their role", async () => {
    const [ann = "", bob = "", cat = ""] = await addUsers("ann", "bob", "cat");
    const made = await send("POST", "/Groups", { displayName: "ops", members: [{ value: ann }] });
    const path = `/Groups/${made.json.id}`;
    await patch(path, { op: "add", path: "members", value: [{ value: bob }, { value: cat }, { value: ann }] });
    expect(await membersOf(path)).toEqual([ann, bob, cat]);
    await patch(path, { op: "remove", path: `members[value eq "${bob}"]` });
    expect(await membersOf(path)).toEqual([ann, cat]);
    await patch(path, { op: "Remove", path: "members", value: [{ value: cat }] });
    expect(await membersOf(path)).toEqual([ann]);
    await patch(path, { op: "remove", path: "members", value: [] });
    expect(await membersOf(path)).toEqual([ann]);
    await patch(path, { op: "Add", value: { members: [{ value: bob }] } });
    expect(await membersOf(path)).toEqual([ann, bob]);
    await patch(path, { op: "replace", value: { id: "77", displayName: "OPS", members: [{ value: cat }] } });
    expect(await membersOf(path)).toEqual([cat]);
    const manager = await directory.send("PUT", `/api${path.toLowerCase()}/members/${cat}?role=manager`);
    expect(manager.status).toBe(204);
    await send("PUT", path, { displayName: "ops", members: [{ value: cat }, { value: ann }] });
    const roles = (await directory.send("GET", `/api${path.toLowerCase()}/members`)).json;
    expect(roles.map((one: { membership: string }) => one.membership)).toEqual(["member", "manager"]);
    await patch(path, { op: "remove", path: "members" });
    expect(await membersOf(path)).toEqual([]);
  });

  test("a change that can't be made in whole is not made in part", async () => {
    const [ann = ""] = await addUsers("ann");
    const path = `/Groups/${(await send("POST", "/Groups", { displayName: "ops", members: [{ value: ann }] })).json.id}`;
    for (const [operation, word] of [
      [{ op: "add", path: "members", value: [{ value: "1" }, { value: "999" }] }, "invalidValue"],
      [{ op: "add", path: "members", value: [{ value: "nobody" }] }, "invalidValue"],
      [{ op: "remove", path: 'members[display eq "ann"]' }, "invalidPath"],
      [{ op: "add", path: `members[value eq "${ann}"]`, value: { value: "1" } }, "invalidPath"],
      [{ op: "remove", path: "displayName" }, "mutability"],
      [{ op: "replace", path: "displayName", value: "" }, "invalidValue"],
    ] as const) {
      const answer = await patch(path, { op: "replace", path: "externalId", value: "x" }, operation);
      expect([operation, answer.status, answer.json.scimType]).toEqual([operation, 400, word]);
    }
    expect((await send("GET", path)).json).toMatchObject({ members: [{ value: ann }], meta: { version: '"1"' } });
    const kept = await patch(
      path,
      { op: "replace", path: "description", value: "x" },
      { op: "remove", path: "externalId" },
    );
    expect(kept.status).toBe(200);
  });

  test.each([
    ["type", { type: "Group" }],
    ["type in another case", { Type: "group" }],
    ["reference", { $ref: "https://directory.test/scim/v2/Groups/1" }],
    ["relative reference", { $ref: "Groups/1" }],
  ])("a member that is known as a group by its %s is one, whatever user has its number", async (_name, more) => {
    const users = await addUsers("ann", "bob");
    const { json: ops } = await send("POST", "/Groups", { displayName: "ops" });
    const { json: inner } = await send("POST", "/Groups", { displayName: "inner" });
    expect(users).toContain(inner.id);
    const members = [{ value: inner.id, ...more }];
    const path = `/Groups/${ops.id}`;
    const shown = [{ value: inner.id, type: "Group", display: "inner" }];
    expect((await patch(path, { op: "add", path: "members", value: members })).json.members).toMatchObject(shown);
    expect((await send("PUT", path, { displayName: "ops" })).json.members).toEqual([]);
    expect((await send("PUT", path, { displayName: "ops", members })).json.members).toMatchObject(shown);
    expect((await send("POST", "/Groups", { displayName: "web", members })).json.members).toMatchObject(shown);
    const named = { value: "1", type: "User", $ref: "Users/1", display: "First administrator" };
    expect((await patch(path, { op: "add", path: "members", value: [named] })).status).toBe(200);
    expect(await membersOf(path)).toEqual(["1", inner.id]);
  });

  test("lists show members, and leave them out where they are not asked for", async () => {
    const [ann = ""] = await addUsers("ann");
    await send("POST", "/Groups", { displayName: "ops", members: [{ value: ann }] });
    await send("POST", "/Groups", { displayName: "web" });
    const listed = async (query: string) => (await send("GET", `/Groups?${query}`)).json.Resources;
    expect(await listed("startIndex=1&count=100")).toMatchObject([{ members: [{ value: ann }] }, { members: [] }]);
    for (const query of ["excludedAttributes=members", "attributes=displayName"])
      for (const group of await listed(query)) expect(group).not.toHaveProperty("members");
    expect((await listed("attributes=members.value"))[0].members).toEqual([{ value: ann }]);
    const one = await send("GET", "/Groups/1?excludedAttributes=members");
    expect(one.json).not.toHaveProperty("members");
  });

  test("a group of 10,000 members is replaced, patched and read", async () => {
    await directory.database.db.execute(`
      insert into directory.users (login, login_key, email_key)
      select 'user' || n, 'user' || n, '' from generate_series(1, 10000) n`);
    const members = Array.from({ length: 10_000 }, (_, n) => ({
      value: String(n + 2),
      $ref: `https://directory.test/scim/v2/Users/${n + 2}`,
      display: `User number ${n + 1}`,
    }));
    const made = await send("POST", "/Groups", { displayName: "all" });
    const path = `/Groups/${made.json.id}`;
    const put = await send("PUT", path, { displayName: "all", members });
    expect([put.status, put.json.members?.length]).toEqual([200, 10_000]);
    const removals = members
      .slice(0, 5_000)
      .map(({ value }) => ({ op: "remove", path: `members[value eq "${value}"]` }));
    expect((await patch(path, ...removals)).json.members).toHaveLength(5_000);
    const additions = members.map(({ value }) => ({ op: "add", path: "members", value: [{ value }] }));
    expect((await patch(`${path}?excludedAttributes=members`, ...additions)).status).toBe(200);
    expect(await membersOf(path)).toHaveLength(10_000);
    expect((await patch(path, { op: "remove", path: "members", value: members })).json.members).toEqual([]);
  }, 120_000);
});
