import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { scimClient } from "./scim.testing.ts";

const SEARCH = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
const CORE = "urn:ietf:params:scim:schemas:core:2.0";

describeDirectory("SCIM lists", (directory) => {
  const { send, addUser, found } = scimClient(directory);
  const addPeople = async () => {
    const ann = await addUser("ann", {
      name: { givenName: "Ann", familyName: "Bee" },
      emails: [
        { value: "ann@work.test", type: "work", primary: true },
        { value: "ann@home.test", type: "home" },
      ],
      externalId: "E-1",
    });
    await addUser("anna", { active: false, displayName: "Éva" });
    const bob = await addUser("bob", { displayName: "100%_Bob", emails: [{ value: "bob@home.test", type: "home" }] });
    return { ann, bob };
  };

  test("filters choose users as RFC 7644 says", async () => {
    await addPeople();
    for (const [filter, logins] of [
      ['userName eq "ANN"', ["ann"]],
      ['USERNAME sw "an"', ["ann", "anna"]],
      [`${CORE}:User:userName eq "ann"`, ["ann"]],
      ['userName co "nn" and active eq true', ["ann"]],
      ['active eq "False"', ["anna"]],
      ['userName ew "b" or userName eq "ann"', ["ann", "bob"]],
      ['userName eq "bob" or userName sw "a" and active eq false', ["anna", "bob"]],
      ['(userName eq "bob" or userName sw "a") and active eq false', ["anna"]],
      ['not (userName sw "an") and userName ne "admin"', ["bob"]],
      ['userName gt "ann" and userName le "bob"', ["anna", "bob"]],
      ['userName ge "anna" and userName lt "bob"', ["anna"]],
      ['emails eq "BOB@home.test"', ["bob"]],
      ['emails.value eq "ann@HOME.test"', ["ann"]],
      ['emails.type eq "work"', ["admin", "ann"]],
      ['emails[type eq "work"].value eq "ann@work.test"', ["ann"]],
      ['emails[type eq "work" and value eq "ann@work.test"]', ["ann"]],
      ['emails[type eq "work" and value eq "ann@home.test"]', []],
      ['emails[type eq "home" and not (value sw "bob")]', ["ann"]],
      ['emails[primary eq true and type eq "home"]', ["bob"]],
      ['emails[type eq "home"] and emails[type eq "work"]', ["ann"]],
      ["emails pr", ["admin", "ann", "bob"]],
      ["not (emails pr)", ["anna"]],
      ["emails.primary eq false", ["ann"]],
      ['displayName pr and id gt "1"', ["ann", "anna", "bob"]],
      ['displayName eq "ann BEE"', ["ann"]],
      ['displayName eq "Éva"', ["anna"]],
      ['displayName co "0%_"', ["bob"]],
      ['displayName co "%Bob"', []],
      ["name.givenName pr", ["ann"]],
      ['name.familyName eq "bee"', ["ann"]],
      ["name.familyName eq null and externalId ne null", []],
      ['externalId eq "E-1"', ["ann"]],
      ['externalId eq "e-1"', []],
      ['not (displayName eq "100%_Bob") and userName sw "a"', ["admin", "ann", "anna"]],
      ['userName eq "\' or 1=1 --"', []],
      ['meta.created gt "2099-01-01T00:00:00Z"', []],
      ['meta.lastModified lt "2099-01-01T00:00:00Z" and userName eq "bob"', ["bob"]],
      ['id eq "nonsense"', []],
    ] as const)
      expect([filter, await found("/Users", filter)]).toEqual([filter, logins]);
  });

  test("filters choose groups by members, and users by groups", async () => {
    const { ann, bob } = await addPeople();
    const web = await send("POST", "/Groups", { displayName: "web", externalId: "g1", members: [{ value: ann }] });
    await send("POST", "/Groups", { displayName: "Ops", members: [{ value: ann }, { value: bob }] });
    for (const [filter, names] of [
      ['displayName eq "OPS"', ["Ops"]],
      ['externalId eq "g1"', ["web"]],
      [`members eq "${bob}"`, ["Ops"]],
      [`members.value eq "${ann}"`, ["web", "Ops"]],
      [`members[value eq "${ann}"] and not (members[value eq "${bob}"])`, ["web"]],
      ['members.display eq "ann bee"', ["web", "Ops"]],
      ["members pr", ["web", "Ops"]],
      ['members eq "nobody"', []],
    ] as const)
      expect([filter, await found("/Groups", filter)]).toEqual([filter, names]);
    for (const [filter, names] of [
      [`groups.value eq "${web.json.id}"`, ["ann"]],
      ['groups.display eq "ops"', ["ann", "bob"]],
      ["not (groups pr)", ["admin", "anna"]],
    ] as const)
      expect([filter, await found("/Users", filter)]).toEqual([filter, names]);
  });

  test.each([
    "(".repeat(5_000),
    '"',
    "userName eq",
    "a".repeat(9_000),
    'title eq "x"',
    'emails.country eq "x"',
    'emails[type[value eq "x"]]',
    "active gt false",
    'active eq "maybe"',
    'meta.created co "2030"',
    'meta.created gt "soon"',
    "userName gt null",
    "password pr",
  ])("refuses the filter %#", async (filter) => {
    const answer = await send("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    expect([answer.status, answer.json.scimType]).toEqual([400, "invalidFilter"]);
  });

  test("pages are counted from 1, and sorted by any attribute that is kept", async () => {
    await addPeople();
    const page = async (query: string) => {
      const { totalResults, startIndex, itemsPerPage, Resources } = (await send("GET", `/Users?${query}`)).json;
      const names = Resources.map((one: { userName: string }) => one.userName).join();
      return [totalResults, startIndex, itemsPerPage, names];
    };
    expect(await page("startIndex=2&count=2")).toEqual([4, 2, 2, "ann,anna"]);
    expect(await page("startIndex=-5&count=1")).toEqual([4, 1, 1, "admin"]);
    expect(await page("count=0")).toEqual([4, 1, 0, ""]);
    expect(await page("count=-1")).toEqual([4, 1, 0, ""]);
    expect(await page("startIndex=99")).toEqual([4, 99, 0, ""]);
    expect(await page("sortBy=userName&sortOrder=descending&count=2")).toEqual([4, 1, 2, "bob,anna"]);
    expect(await page("sortBy=USERNAME&sortOrder=Descending&count=1")).toEqual([4, 1, 1, "bob"]);
    expect(await page("sortBy=emails.value")).toEqual([4, 1, 4, "admin,ann,bob,anna"]);
    expect(await page("sortBy=name.familyName")).toEqual([4, 1, 4, "ann,admin,anna,bob"]);
    expect(await page("sortBy=active&count=1")).toEqual([4, 1, 1, "anna"]);
    expect(await page("sortBy=title")).toEqual([4, 1, 4, "admin,ann,anna,bob"]);
    await send("POST", "/Groups", { displayName: "web" });
    await send("POST", "/Groups", { displayName: "Ops" });
    const groups = (await send("GET", "/Groups?sortBy=displayName&sortOrder=ascending")).json.Resources;
    expect(groups.map((one: { displayName: string }) => one.displayName)).toEqual(["Ops", "web"]);
  });

  test("POST on .search lists as GET does, and over both kinds of resource", async () => {
    await addPeople();
    await send("POST", "/Groups", { displayName: "annual" });
    const search = async (path: string, body: object) => {
      const { status, json } = await send("POST", `${path}/.search`, { schemas: [SEARCH], ...body });
      const names = json.Resources?.map(
        (one: { userName?: string; displayName: string }) => one.userName ?? one.displayName,
      );
      return [status, json.totalResults, names?.join()];
    };
    expect(await search("/Users", { filter: 'userName sw "ann"' })).toEqual([200, 2, "ann,anna"]);
    expect(await search("/Users", { startIndex: 2, count: 1, sortBy: "userName" })).toEqual([200, 4, "ann"]);
    expect(await search("/Groups", {})).toEqual([200, 1, "annual"]);
    expect(await search("", { startIndex: 4, count: 2 })).toEqual([200, 5, "bob,annual"]);
    expect(await search("", { filter: 'userName eq "bob" or members pr' })).toEqual([200, 1, "bob"]);
    expect(await search("", { filter: 'displayName sw "ann"' })).toEqual([200, 2, "ann,annual"]);
    expect(await search("", { filter: "title pr" })).toEqual([400, undefined, undefined]);
    const shown = await send("POST", "/Users/.search", { attributes: ["userName"], count: 1 });
    expect(Object.keys(shown.json.Resources[0])).toEqual(["schemas", "id", "userName"]);
    expect((await send("GET", "?filter=userName%20eq%20%22ann%22")).json.totalResults).toBe(1);
    const reader = await directory.send("POST", "/api/tokens", { json: { label: "r", scopes: ["read"] } });
    const readOnly = { token: reader.json.token, json: { schemas: [SEARCH] } };
    expect((await directory.send("POST", "/scim/v2/Users/.search", readOnly)).status).toBe(200);
  });
});
