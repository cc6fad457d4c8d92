import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";

const SCIM = { "content-type": "application/scim+json" };
const user = (login: string, more: object = {}) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: login,
  emails: [{ value: `${login}@example.test`, primary: true }],
  ...more,
});

describeDirectory("SCIM", (directory) => {
  const send = (method: string, path: string, json?: object, headers: Record<string, string> = {}) =>
    directory.send(method, `/scim/v2${path}`, { json, headers: json ? { ...SCIM, ...headers } : headers });
  const patch = (path: string, ...operations: object[]) => send("PATCH", path, { Operations: operations });
  const found = async (filter: string) =>
    (await send("GET", `/Users?filter=${encodeURIComponent(filter)}`)).json.Resources?.map(
      (one: { userName: string }) => one.userName,
    );

  test("a user is made, read, replaced, patched and removed", async () => {
    const made = await send(
      "POST",
      "/Users",
      user("ann", {
        name: { givenName: "Ann", familyName: "B" },
        externalId: "e1",
        password: "correct horse 1",
        nickName: "x",
      }),
    );
    expect(made.status).toBe(201);
    expect(made.headers.get("content-type")).toBe("application/scim+json");
    const path = `/Users/${made.json.id}`;
    expect(made.headers.get("location")).toBe(`/scim/v2${path}`);
    expect(made.json).toMatchObject({
      userName: "ann",
      displayName: "Ann B",
      externalId: "e1",
      active: true,
      meta: { resourceType: "User", version: '"1"' },
    });
    expect(made.text).not.toMatch(/password|argon2/);
    expect(
      (await directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass: "correct horse 1" } }))
        .status,
    ).toBe(200);
    expect((await send("PUT", path, user("ann"))).json).not.toHaveProperty("displayName");
    const patched = await patch(
      path,
      { op: "Replace", path: 'emails[type eq "work"].value', value: "new@example.test" },
      { op: "Add", value: { ACTIVE: "False", displayName: "Ann" } },
    );
    expect(patched.json).toMatchObject({ emails: [{ value: "new@example.test" }], active: false, displayName: "Ann" });
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("GET", path)).json).toMatchObject({
      status: "404",
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    });
  });

  test("errors have SCIM's own form and words", async () => {
    await send("POST", "/Users", user("ann"));
    const wordOf = async (answer: ReturnType<typeof send>) => {
      const { status, json } = await answer;
      expect(String(status)).toBe(json.status);
      return [status, json.scimType];
    };
    expect(await wordOf(send("POST", "/Users", user("ANN")))).toEqual([409, "uniqueness"]);
    expect(await wordOf(send("POST", "/Users", { userName: "bob" }))).toEqual([400, "invalidValue"]);
    expect(await wordOf(send("GET", "/Users?filter=nonsense"))).toEqual([400, "invalidFilter"]);
    expect(await wordOf(send("GET", "/Users?filter=shoe%20eq%2044"))).toEqual([400, "invalidFilter"]);
    expect(await wordOf(patch("/Users/2", { op: "remove" }))).toEqual([400, "noTarget"]);
    expect(await wordOf(patch("/Users/2", { op: "remove", path: "userName" }))).toEqual([400, "invalidValue"]);
    expect(await wordOf(send("GET", "/Users/2819c223-7f76-453a-919d-413861904646"))).toEqual([404, undefined]);
    expect(await wordOf(send("GET", "/Nothing"))).toEqual([404, undefined]);
    expect(directory.faults).toEqual([]);
  });

  test("filters choose as RFC 7644 says", async () => {
    for (const [login, active] of [
      ["ann", true],
      ["anna", false],
      ["bob", true],
    ] as const)
      await send("POST", "/Users", user(login, { active, ...(login === "bob" ? { displayName: "100%_Bob" } : {}) }));
    for (const [filter, logins] of [
      ['userName eq "ANN"', ["ann"]],
      ['USERNAME sw "an"', ["ann", "anna"]],
      ['userName co "nn" and active eq true', ["ann"]],
      ['userName ew "b" or userName eq "ann"', ["ann", "bob"]],
      ['not (userName sw "an") and userName ne "admin"', ["bob"]],
      ['emails.value eq "bob@EXAMPLE.test"', ["bob"]],
      ['emails[value sw "anna"]', ["anna"]],
      ['displayName pr and id gt "1"', ["bob"]],
      ['displayName co "0%_"', ["bob"]],
      ['displayName co "%Bob"', []],
      ['not (displayName eq "100%_Bob") and userName sw "a"', ["admin", "ann", "anna"]],
      ['userName eq "\' or 1=1 --"', []],
      ['meta.created gt "2099-01-01T00:00:00Z"', []],
      ['id eq "nonsense"', []],
    ] as const)
      expect([filter, await found(filter)]).toEqual([filter, logins]);
    for (const bad of ["(".repeat(5_000), '"', "userName eq", "a".repeat(2_000)])
      expect((await send("GET", `/Users?filter=${encodeURIComponent(bad)}`)).status).toBe(400);
  });

  test("pages are counted from 1 and told in full", async () => {
    for (const login of ["ann", "bob", "cat"]) await send("POST", "/Users", user(login));
    const page = async (query: string) => {
      const { totalResults, startIndex, itemsPerPage, Resources } = (await send("GET", `/Users?${query}`)).json;
      return [
        totalResults,
        startIndex,
        itemsPerPage,
        Resources.map((one: { userName: string }) => one.userName).join(),
      ];
    };
    expect(await page("startIndex=2&count=2")).toEqual([4, 2, 2, "ann,bob"]);
    expect(await page("startIndex=-5&count=1")).toEqual([4, 1, 1, "admin"]);
    expect(await page("count=0")).toEqual([4, 1, 0, ""]);
    expect(await page("startIndex=99")).toEqual([4, 99, 0, ""]);
    expect(await page("sortBy=userName&sortOrder=descending&count=2")).toEqual([4, 1, 2, "cat,bob"]);
  });

  test.each([
    ["type", { type: "Group" }],
    ["type in another case", { Type: "group" }],
    ["reference", { $ref: "https://directory.test/scim/v2/Groups/1" }],
  ])("a group told by its %s is no member of a group, whatever user has its number", async (_name, more) => {
    const { json } = await send("POST", "/Groups", { displayName: "ops" });
    const path = `/Groups/${json.id}`;
    const members = [{ value: "1", ...more }];
    const add = { op: "add", path: "members", value: members };
    for (const answer of [
      await patch(path, add),
      await send("PUT", path, { displayName: "ops", members }),
      await send("POST", "/Groups", { displayName: "web", members }),
    ])
      expect([answer.status, answer.json.scimType]).toEqual([400, "invalidValue"]);
    expect((await send("GET", path)).json.members).toEqual([]);
    const told = { value: "1", type: "User", $ref: null, display: "First administrator" };
    expect((await patch(path, { ...add, value: [told] })).status).toBe(200);
    expect((await send("GET", path)).json.members).toMatchObject([{ value: "1" }]);
  });

  test("members of a group are added, removed by value and by filter, replaced, and never lost in passing", async () => {
    const ids: string[] = [];
    for (const login of ["ann", "bob", "cat"]) ids.push((await send("POST", "/Users", user(login))).json.id);
    const [ann = "", bob = "", cat = ""] = ids;
    const made = await send("POST", "/Groups", { displayName: "ops", members: [{ value: ann }] });
    const path = `/Groups/${made.json.id}`;
    const members = async () => (await send("GET", path)).json.members.map((one: { value: string }) => one.value);
    expect(await members()).toEqual([ann]);
    await patch(path, { op: "add", path: "members", value: [{ value: bob }, { value: cat }, { value: ann }] });
    expect(await members()).toEqual([ann, bob, cat]);
    await patch(path, { op: "remove", path: `members[value eq "${bob}"]` });
    expect(await members()).toEqual([ann, cat]);
    await patch(path, { op: "Remove", path: "members", value: [{ value: cat }] });
    expect(await members()).toEqual([ann]);
    await patch(path, { op: "replace", value: { displayName: "OPS", members: [{ value: cat }] } });
    expect(await members()).toEqual([cat]);
    expect((await patch(path, { op: "remove", path: `members[display eq "cat"]` })).status).toBe(400);
    expect((await patch(path, { op: "add", path: "members", value: [{ value: "999" }] })).json.scimType).toBe(
      "invalidValue",
    );
    expect(await members()).toEqual([cat]);
    expect((await send("GET", "/Groups")).json.Resources[0]).not.toHaveProperty("members");
    expect((await send("GET", `/Groups?filter=${encodeURIComponent(`members eq "${cat}"`)}`)).json.totalResults).toBe(
      1,
    );
    const manager = await directory.send("PUT", `/api/groups/${made.json.id}/members/${cat}?role=manager`);
    expect(manager.status).toBe(204);
    await send("PUT", path, { displayName: "ops", members: [{ value: cat }, { value: ann }] });
    const roles = (await directory.send("GET", `/api/groups/${made.json.id}/members`)).json;
    expect(roles.map((one: { membership: string }) => one.membership)).toEqual(["member", "manager"]);
    await patch(path, { op: "remove", path: "members" });
    expect(await members()).toEqual([]);
  });

  test("If-Match guards, and the discovery documents name what is here", async () => {
    const made = await send("POST", "/Users", user("ann"));
    const path = `/Users/${made.json.id}`;
    expect((await send("PUT", path, user("ann"), { "if-match": made.json.meta.version })).status).toBe(200);
    expect((await send("PUT", path, user("ann"), { "if-match": made.json.meta.version })).status).toBe(412);
    expect((await send("GET", path, undefined, { "if-none-match": '"2"' })).status).toBe(304);
    expect((await send("GET", "/ServiceProviderConfig")).json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
    });
    expect((await send("GET", "/ResourceTypes")).json.totalResults).toBe(2);
    expect((await send("GET", "/Schemas")).json.Resources[0].id).toContain("User");
  });
});
