import { expect, test } from "vitest";
import { describeDirectory, type TestDirectory } from "../directory.testing.ts";

const LIMIT = { kind: "images", patterns: ["docker.io/library/*"] };

async function nest({ send }: TestDirectory, group: number, subgroup: number, status = 204): Promise<void> {
  expect((await send("PUT", `/api/groups/${group}/subgroups/${subgroup}`)).status).toBe(status);
}

async function constrain({ send }: TestDirectory, group: number, json: object = LIMIT): Promise<number> {
  const made = await send("POST", `/api/groups/${group}/constraints`, { json });
  expect(made.status).toBe(201);
  return made.json.id;
}

async function held({ send }: TestDirectory, user: number): Promise<readonly number[]> {
  const { json } = await send("GET", `/api/users/${user}/effective-constraints`);
  return json.constraints.map(({ id }: { id: number }) => id);
}

describeDirectory("groups within groups", (directory) => {
  test("bind the members of a subgroup at any depth, by each constraint once, until the subgroup leaves", async () => {
    const ann = await directory.addUser("ann");
    const [all, web, shop, left] = [
      await directory.addGroup("all"),
      await directory.addGroup("web"),
      await directory.addGroup("shop", [ann.id]),
      await directory.addGroup("left", [ann.id]),
    ];
    const [ofAll, ofShop] = [await constrain(directory, all), await constrain(directory, shop)];
    expect(await held(directory, ann.id)).toEqual([ofShop]);
    // Twice: through web and through left.
    await nest(directory, web, shop);
    await nest(directory, all, web);
    await nest(directory, all, left);
    expect(await held(directory, ann.id)).toEqual([ofAll, ofShop]);
    expect((await directory.send("GET", `/api/groups/${all}/subgroups`)).json).toMatchObject([
      { id: web, name: "web" },
      { id: left, name: "left" },
    ]);
    await directory.send("DELETE", `/api/groups/${all}/subgroups/${left}`);
    expect(await held(directory, ann.id)).toEqual([ofAll, ofShop]);
    await directory.send("DELETE", `/api/groups/${web}`);
    expect(await held(directory, ann.id)).toEqual([ofShop]);
  });

  test("are named with the user's constraints, each once, by their current names", async () => {
    const ann = await directory.addUser("ann");
    const [all, left, right] = [
      await directory.addGroup("all"),
      await directory.addGroup("left", [ann.id]),
      await directory.addGroup("right", [ann.id]),
    ];
    const groups = async () => (await directory.send("GET", `/api/users/${ann.id}/effective-constraints`)).json.groups;
    await nest(directory, all, left);
    await nest(directory, all, right);
    const both = [
      { id: left, name: "left" },
      { id: right, name: "right" },
    ];
    expect(await groups()).toEqual([{ id: all, name: "all" }, ...both]);
    await directory.send("PATCH", `/api/groups/${all}`, { json: { name: "everyone" } });
    expect(await groups()).toEqual([{ id: all, name: "everyone" }, ...both]);
    await directory.send("DELETE", `/api/groups/${all}`);
    expect(await groups()).toEqual(both);
    await directory.send("DELETE", `/api/groups/${left}/members/${ann.id}`);
    expect(await groups()).toEqual([{ id: right, name: "right" }]);
  });

  test("let members of a subgroup read the group and its constraints, and nobody else", async () => {
    const [ann, bob] = [await directory.addUser("ann"), await directory.addUser("bob")];
    const [web, shop] = [await directory.addGroup("web", [bob.id]), await directory.addGroup("shop", [ann.id])];
    const constraint = await constrain(directory, web);
    const paths = [`/api/groups/${web}`, `/api/groups/${web}/constraints`, `/api/constraints/${constraint}`];
    const statuses = (token: string) =>
      Promise.all(paths.map(async (path) => (await directory.send("GET", path, { token })).status));
    expect(await statuses(ann.token)).toEqual([404, 404, 404]);
    await nest(directory, web, shop);
    expect(await statuses(ann.token)).toEqual([200, 200, 200]);
    // The constraints of a subgroup do not bind the members of the group.
    const token = bob.token;
    expect((await directory.send("GET", `/api/groups/${shop}`, { token })).status).toBe(404);
    // A manager of the group manages the group's own members alone.
    await directory.send("PUT", `/api/groups/${web}/members/${bob.id}?role=manager`);
    expect((await directory.send("GET", `/api/groups/${shop}/members`, { token })).status).toBe(404);
  });

  test("never form a circle, also when two requests would close one together", async () => {
    const [a, b, c] = [await directory.addGroup("a"), await directory.addGroup("b"), await directory.addGroup("c")];
    await nest(directory, a, a, 409);
    await nest(directory, a, b);
    await nest(directory, b, c);
    await nest(directory, c, a, 409);
    await nest(directory, a, 99, 404);
    await nest(directory, 99, a, 404);
    const [d, e] = [await directory.addGroup("d"), await directory.addGroup("e")];
    const both = await Promise.all(
      [
        [d, e],
        [e, d],
      ].map(([group, subgroup]) => directory.send("PUT", `/api/groups/${group}/subgroups/${subgroup}`)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  test("nest at most 16 deep", async () => {
    const groups: number[] = [];
    for (let at = 0; at < 17; at++) groups.push(await directory.addGroup(`g${at}`));
    for (let at = 0; at < 15; at++) await nest(directory, groups[at] ?? 0, groups[at + 1] ?? 0);
    await nest(directory, groups[15] ?? 0, groups[16] ?? 0, 409);
  });

  test("change the version of everything that holds, as does a group's new name", async () => {
    const ann = await directory.addUser("ann");
    const [web, shop] = [await directory.addGroup("web"), await directory.addGroup("shop", [ann.id])];
    await constrain(directory, web);
    const effective = async () => (await directory.send("GET", `/api/users/${ann.id}/effective-constraints`)).json;
    const first = await effective();
    await nest(directory, web, shop);
    const second = await effective();
    expect(second.version).not.toBe(first.version);
    expect(second.constraints[0].owner.name).toBe("web");
    await directory.send("PATCH", `/api/groups/${web}`, { json: { name: "site" } });
    const third = await effective();
    expect(third.version).not.toBe(second.version);
    expect(third.constraints[0].owner.name).toBe("site");
    const audit = (await directory.send("GET", `/api/audit?target=group/${web}`)).json;
    expect(audit.map(({ action }: { action: string }) => action)).toContain("subgroup.create");
  });

  test("come and go by SCIM as members of the type Group", async () => {
    const ann = await directory.addUser("ann");
    const shop = await directory.addGroup("shop", [ann.id]);
    const scim = (method: string, path: string, json?: unknown) =>
      directory.send(method, `/scim/v2${path}`, json === undefined ? {} : { json });
    const member = { value: String(shop), type: "Group" };
    const made = await scim("POST", "/Groups", { displayName: "web", members: [member, { value: String(ann.id) }] });
    expect(made.json.members).toMatchObject([
      { value: String(ann.id), type: "User" },
      { value: String(shop), type: "Group", display: "shop", $ref: expect.stringMatching(/\/Groups\/\d+$/) },
    ]);
    const web = `/Groups/${made.json.id}`;
    const found = await scim(
      "GET",
      `/Groups?filter=${encodeURIComponent(`members[value eq "${shop}" and type eq "Group"]`)}`,
    );
    expect(found.json.Resources.map(({ displayName }: { displayName: string }) => displayName)).toEqual(["web"]);
    const groupsOfAnn = (await scim("GET", `/Users/${ann.id}`)).json.groups;
    expect(groupsOfAnn).toMatchObject([
      { display: "shop", type: "direct" },
      { display: "web", type: "direct" },
    ]);
    const removal = { op: "remove", path: `members[value eq "${shop}" and type eq "Group"]` };
    expect((await scim("PATCH", web, { Operations: [removal] })).json.members).toHaveLength(1);
    const added = await scim("PATCH", web, { Operations: [{ op: "add", path: "members", value: [member] }] });
    expect(added.json.members).toHaveLength(2);
    // What a client reads it may write back.
    expect((await scim("PUT", web, added.json)).json.members).toEqual(added.json.members);
    await scim("PATCH", web, { Operations: [{ op: "remove", path: `members[value eq "${ann.id}"]` }] });
    expect((await scim("GET", `/Users/${ann.id}`)).json.groups).toMatchObject([
      { display: "shop", type: "direct" },
      { display: "web", type: "indirect" },
    ]);
    const circle = { op: "add", path: "members", value: [{ value: made.json.id, type: "Group" }] };
    expect((await scim("PATCH", `/Groups/${shop}`, { Operations: [circle] })).status).toBe(409);
    expect(
      (await scim("PATCH", web, { Operations: [{ ...circle, value: [{ value: "99", type: "Group" }] }] })).status,
    ).toBe(400);
  });
});

describeDirectory("a shared quota", (directory) => {
  const QUOTA = { kind: "shared-quota", resource: "memory", max: 1_000 };

  test("belongs to a group, and is a limit", async () => {
    const ann = await directory.addUser("ann");
    const web = await directory.addGroup("web");
    const own = await directory.send("POST", `/api/users/${ann.id}/constraints`, { json: QUOTA });
    expect([own.status, own.json.errors]).toEqual([422, [{ pointer: "/kind", detail: "must be quota for a user" }]]);
    for (const json of [
      { ...QUOTA, effect: "grant" },
      { ...QUOTA, resource: "networks" },
      { ...QUOTA, max: -1 },
    ])
      expect((await directory.send("POST", `/api/groups/${web}/constraints`, { json })).status).toBe(422);
    await constrain(directory, web, QUOTA);
  });

  test("names those who share it, to one of them and to readers", async () => {
    const [ann, bob, eve] = [
      await directory.addUser("ann"),
      await directory.addUser("bob"),
      await directory.addUser("eve"),
    ];
    const [web, shop] = [await directory.addGroup("web", [ann.id]), await directory.addGroup("shop", [bob.id])];
    await nest(directory, web, shop);
    const id = await constrain(directory, web, QUOTA);
    const json = { userIds: [eve.id, bob.id, ann.id, 99] };
    const ask = (token: string) => directory.send("POST", `/api/constraints/${id}/sharers`, { token, json });
    for (const token of [ann.token, bob.token, directory.admin])
      expect((await ask(token)).json).toEqual([bob.id, ann.id]);
    expect((await ask(eve.token)).status).toBe(404);
  });

  test("is decided by what all members use", async () => {
    const ann = await directory.addUser("ann");
    const web = await directory.addGroup("web", [ann.id]);
    const id = await constrain(directory, web, QUOTA);
    const decide = async (quantities: object, sharedUse?: object) => {
      const request = { quantities, ...(sharedUse === undefined ? {} : { sharedUse }) };
      return (await directory.send("POST", "/api/decisions", { json: { userId: ann.id, request } })).json;
    };
    expect((await decide({ memory: 1_000 })).decision).toBe("allow");
    expect((await decide({ memory: 1 }, { [id]: 1_000 })).message).toBe(
      `denied by policy: shared-quota memory: 1 bytes more than the 1000 bytes that all members have in use is over the quota set by constraint ${id} of group web (would pass: at most 1000 bytes of all members together)`,
    );
    expect((await decide({ memory: "unlimited" }, { [id]: 400 })).message).toContain(": add --memory 600b or less");
  });
});
