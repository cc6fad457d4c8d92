import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { scimClient, USER_URN } from "./scim.testing.ts";

function work(value: string) {
  return { value, type: "work", primary: true };
}
function home(value: string) {
  return { value, type: "home", primary: false };
}

describeDirectory("SCIM users", (directory) => {
  const { send, patch, addUser } = scimClient(directory);
  const read = async (id: string) => (await send("GET", `/Users/${id}`)).json;

  test("a user is created, read, replaced and removed", async () => {
    const made = await send("POST", "/Users", {
      schemas: [USER_URN],
      userName: "ann",
      name: { givenName: "Ann", familyName: "Bee" },
      emails: [work("ann@example.test")],
      externalId: "e1",
      password: "correct horse 1",
      nickName: "Annie",
    });
    expect(made.status).toBe(201);
    expect(made.headers.get("content-type")).toBe("application/scim+json");
    const path = `/Users/${made.json.id}`;
    expect(made.headers.get("location")).toBe(`http://directory.test/scim/v2${path}`);
    expect(made.json).toEqual({
      schemas: [USER_URN],
      id: made.json.id,
      externalId: "e1",
      userName: "ann",
      displayName: "Ann Bee",
      name: { formatted: "Ann Bee", givenName: "Ann", familyName: "Bee" },
      emails: [work("ann@example.test")],
      active: true,
      groups: [],
      meta: {
        resourceType: "User",
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `http://directory.test/scim/v2${path}`,
        version: '"1"',
      },
    });
    const signIn = { token: null, json: { login: "ann", pass: "correct horse 1" } };
    expect((await directory.send("POST", "/api/login", signIn)).status).toBe(200);
    expect((await send("GET", path)).json).toEqual(made.json);
    const replaced = await send("PUT", path, { userName: "ann", emails: [work("new@example.test")] });
    expect(replaced.json).toMatchObject({ userName: "ann", emails: [work("new@example.test")], externalId: "e1" });
    expect(replaced.json).not.toHaveProperty("displayName");
    expect(replaced.json).not.toHaveProperty("name");
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("GET", path)).json).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "404",
      detail: `There is no user ${made.json.id}.`,
    });
  });

  test.each([
    "sean.o'brien@contoso.test",
    "ann_gmail.test#EXT#@contoso.onmicrosoft.test",
    `${"x".repeat(240)}@contoso.test`,
    "_svc@contoso.test",
    "CORP\\ann",
    "Ann Bee",
    "иван@contoso.test",
  ])("%s is a userName that can be filtered by and signed in with", async (userName) => {
    const password = "correct horse 1";
    const made = await send("POST", "/Users", { userName, password });
    expect([made.status, made.json.userName]).toEqual([201, userName]);
    const filter = encodeURIComponent(`userName eq ${JSON.stringify(userName)}`);
    expect((await send("GET", `/Users?filter=${filter}`)).json.totalResults).toBe(1);
    const signIn = { token: null, json: { login: userName, pass: password } };
    expect((await directory.send("POST", "/api/login", signIn)).status).toBe(200);
  });

  test("a user without e-mail has its userName as the address where that is one, else none", async () => {
    expect(await read(await addUser("ann@example.test"))).toMatchObject({ emails: [work("ann@example.test")] });
    for (const emails of [undefined, null, [], [{ value: "" }], ""]) {
      const id = await addUser(`bob${String(JSON.stringify(emails))}`, { emails });
      expect(await read(id)).not.toHaveProperty("emails");
    }
    const [first, second] = [await addUser("cat"), await addUser("dan")];
    expect((await directory.send("GET", `/api/users/${first}`)).json.email).toBeNull();
    const pages = [];
    for (let next: string | undefined = "/api/users?sort=email&limit=1"; next !== undefined; ) {
      const page: Awaited<ReturnType<typeof send>> = await directory.send("GET", next);
      pages.push(page.json[0].login);
      next = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(pages).toHaveLength(9);
    expect((await send("DELETE", `/Users/${second}`)).status).toBe(204);
  });

  test("addresses of several types are kept, and only the primary one is another user's hindrance", async () => {
    const emails = [home("a@home.test"), work("a@work.test"), { value: "a@other.test" }];
    const id = await addUser("ann", { emails });
    expect((await read(id)).emails).toEqual([
      work("a@work.test"),
      home("a@home.test"),
      { value: "a@other.test", primary: false },
    ]);
    await addUser("bob", { emails: [work("b@work.test"), home("a@home.test")] });
    const taken = await send("POST", "/Users", { userName: "cat", emails: [work("A@WORK.test")] });
    expect([taken.status, taken.json.scimType]).toEqual([409, "uniqueness"]);
    expect(taken.json.detail).toBe("Another resource has this primary e-mail address.");
    expect((await read(await addUser("dan", { emails: ["d@plain.test"] }))).emails).toEqual([work("d@plain.test")]);
  });

  test("null, empty texts and wrong letter case are taken as providers mean them", async () => {
    const id = await addUser("ann", {
      DISPLAYNAME: "",
      Name: { GivenName: "Ann", familyName: "", formatted: null },
      Emails: [{ Value: "ann@example.test", TYPE: "work", primary: "True" }],
      Active: "False",
      externalId: "",
      password: "",
      roles: [{ value: 7 }],
    });
    expect(await read(id)).toMatchObject({ displayName: "Ann", name: { givenName: "Ann" }, active: false });
    expect(await read(id)).not.toHaveProperty("externalId");
    expect((await read(id)).name).not.toHaveProperty("familyName");
  });

  test("PUT without active or externalId keeps them", async () => {
    const id = await addUser("ann", { externalId: "e1" });
    await directory.send("PATCH", `/api/users/${id}`, { json: { active: false } });
    const kept = await send("PUT", `/Users/${id}`, { userName: "ann", emails: [work("ann@example.test")] });
    expect([kept.status, kept.json.active, kept.json.externalId]).toEqual([200, false, "e1"]);
    const changed = await send("PUT", `/Users/${id}`, { userName: "ann", active: true, externalId: null });
    expect(changed.json.active).toBe(true);
    expect(changed.json).not.toHaveProperty("externalId");
  });

  test("a password of a new user that breaks the rules is dropped; one that replaces another is refused", async () => {
    const id = await addUser("ann", { password: "1mz050nq" });
    const signIn = { token: null, json: { login: "ann", pass: "1mz050nq" } };
    expect((await directory.send("POST", "/api/login", signIn)).status).toBe(401);
    const refused = await patch(`/Users/${id}`, { op: "replace", path: "password", value: "1mz050nq" });
    expect([refused.status, refused.json.scimType]).toEqual([400, "invalidValue"]);
    expect(refused.json.detail).toContain("at least 15 characters");
    expect((await patch(`/Users/${id}`, { op: "replace", value: { password: "correct horse 1" } })).status).toBe(200);
    const right = { token: null, json: { login: "ann", pass: "correct horse 1" } };
    expect((await directory.send("POST", "/api/login", right)).status).toBe(200);
  });

  test("groups of the user are shown, and change with the groups alone", async () => {
    const id = await addUser("ann");
    const group = await send("POST", "/Groups", { displayName: "web", members: [{ value: id }] });
    const groups = [{ value: group.json.id, $ref: group.json.meta.location, display: "web", type: "direct" }];
    expect((await read(id)).groups).toEqual(groups);
    expect((await send("PUT", `/Users/${id}`, { userName: "ann", groups: [] })).json.groups).toEqual(groups);
    expect((await patch(`/Users/${id}`, { op: "remove", path: "groups" })).json.groups).toEqual(groups);
    const [listed] = (await send("GET", `/Users?filter=${encodeURIComponent('userName eq "ann"')}`)).json.Resources;
    expect(listed.groups).toEqual(groups);
  });

  test("answers hold the attributes that are asked for", async () => {
    const id = await addUser("ann", { emails: [work("ann@example.test")], name: { givenName: "Ann" } });
    const keys = async (query: string) => Object.keys((await send("GET", `/Users/${id}?${query}`)).json).join();
    expect(await keys("attributes=userName")).toBe("schemas,id,userName");
    expect(await keys("attributes=name.givenName,meta.location")).toBe("schemas,id,name,meta");
    expect(await keys("excludedAttributes=emails,groups,meta,name")).toBe("schemas,id,userName,displayName,active");
    const listed = (await send("GET", "/Users?attributes=userName")).json.Resources;
    expect(listed.map((one: object) => Object.keys(one).join())).toEqual([
      "schemas,id,userName",
      "schemas,id,userName",
    ]);
    const made = await send("POST", "/Users?attributes=id", { userName: "bob" });
    expect(Object.keys(made.json)).toEqual(["schemas", "id"]);
  });

  test("If-Match guards a change, and If-None-Match saves an answer without groups", async () => {
    const id = await addUser("ann");
    const put = (version: string) => send("PUT", `/Users/${id}`, { userName: "ann" }, { "if-match": version });
    expect((await put('"1"')).status).toBe(200);
    expect((await put('"1"')).json).toMatchObject({ status: "412" });
    const cached = { "if-none-match": '"2"' };
    expect((await send("GET", `/Users/${id}?excludedAttributes=groups`, undefined, cached)).status).toBe(304);
    expect((await send("GET", `/Users/${id}`, undefined, cached)).status).toBe(200);
  });

  test("errors have SCIM's own form and words", async () => {
    const id = await addUser("ann");
    const wordOf = async (answer: ReturnType<typeof send>) => {
      const { status, json, headers } = await answer;
      expect([String(status), headers.get("content-type")]).toEqual([json.status, "application/scim+json"]);
      return [status, json.scimType];
    };
    expect(await wordOf(send("POST", "/Users", { userName: "ANN" }))).toEqual([409, "uniqueness"]);
    expect(await wordOf(send("POST", "/Users", {}))).toEqual([400, "invalidValue"]);
    expect(await wordOf(send("POST", "/Users", { userName: "bob", emails: [{ value: "no address" }] }))).toEqual([
      400,
      "invalidValue",
    ]);
    const broken = { body: "{", headers: { "content-type": "application/scim+json" } };
    expect(await wordOf(directory.send("POST", "/scim/v2/Users", broken))).toEqual([400, "invalidSyntax"]);
    expect(await wordOf(send("GET", "/Users?count=many"))).toEqual([400, "invalidValue"]);
    expect(await wordOf(send("GET", "/Users?filter=nonsense"))).toEqual([400, "invalidFilter"]);
    expect(await wordOf(send("GET", "/Users?filter=shoe%20eq%2044"))).toEqual([400, "invalidFilter"]);
    expect(await wordOf(patch(`/Users/${id}`, { op: "remove" }))).toEqual([400, "noTarget"]);
    expect(await wordOf(patch(`/Users/${id}`, { op: "remove", path: "userName" }))).toEqual([400, "mutability"]);
    expect(await wordOf(patch(`/Users/${id}`, { op: "add", path: "emails[", value: "x" }))).toEqual([
      400,
      "invalidPath",
    ]);
    expect(await wordOf(patch(`/Users/${id}`, { op: "merge", path: "userName" }))).toEqual([400, "invalidValue"]);
    expect(await wordOf(patch("/Users/1", { op: "replace", path: "active", value: false }))).toEqual([409, undefined]);
    expect(await wordOf(send("GET", "/Users/2819c223-7f76-453a-919d-413861904646"))).toEqual([404, undefined]);
    expect(await wordOf(send("GET", "/Nothing"))).toEqual([404, undefined]);
    expect(await wordOf(send("POST", "/Bulk", { Operations: [] }))).toEqual([404, undefined]);
    expect(await wordOf(send("DELETE", "/Users"))).toEqual([405, undefined]);
    expect(directory.faults).toEqual([]);
  });

  test("JSON is taken as application/json too, and nothing else is", async () => {
    expect((await send("POST", "/Users", { userName: "ann" }, { "content-type": "application/json" })).status).toBe(
      201,
    );
    const charset = { "content-type": "application/scim+json; charset=utf-8" };
    expect((await send("POST", "/Users", { userName: "bob" }, charset)).status).toBe(201);
    expect((await send("POST", "/Users", { userName: "cat" }, { "content-type": "text/plain" })).status).toBe(415);
  });
});
