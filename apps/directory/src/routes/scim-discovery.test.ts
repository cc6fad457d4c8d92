import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { GROUP_URN, scimClient, USER_URN } from "./scim.testing.ts";

interface Named {
  readonly name: string;
  readonly subAttributes?: readonly Named[];
}

describeDirectory("SCIM discovery", (directory) => {
  const { send, addUser } = scimClient(directory);
  const base = "http://directory.test/scim/v2";

  test("the provider says what it supports", async () => {
    expect((await send("GET", "/ServiceProviderConfig")).json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes: [{ type: "oauthbearertoken" }],
      meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
    });
  });

  test.each([
    ["ResourceTypes", "ResourceType", ["User", "Group"]],
    ["Schemas", "Schema", [USER_URN, GROUP_URN]],
  ])("%s are listed, and read one by one", async (path, resourceType, ids) => {
    const { json } = await send("GET", `/${path}`);
    expect([json.totalResults, json.itemsPerPage, json.startIndex]).toEqual([2, 2, 1]);
    for (const [index, id] of ids.entries()) {
      const one = await send("GET", `/${path}/${id}`);
      expect([one.status, one.headers.get("content-type")]).toEqual([200, "application/scim+json"]);
      expect(one.json).toMatchObject({ id, meta: { resourceType, location: `${base}/${path}/${id}` } });
      expect(json.Resources[index]).toEqual(one.json);
      expect((await send("GET", `/${path}/${encodeURIComponent(id)}`)).json).toEqual(one.json);
    }
    expect((await send("GET", `/${path}/Nothing`)).json).toMatchObject({ status: "404" });
    expect((await send("GET", `/${path}?filter=id%20pr`)).json).toMatchObject({ status: "403" });
  });

  test("the schemas name every attribute of an answer", async () => {
    const email = { value: "ann@example.test", type: "work", primary: true };
    const id = await addUser("ann", {
      name: { givenName: "Ann", familyName: "Bee", formatted: "A. Bee" },
      emails: [email],
      externalId: "e1",
    });
    const group = await send("POST", "/Groups", { displayName: "web", externalId: "g1", members: [{ value: id }] });
    const user = await send("GET", `/Users/${id}`);
    for (const [urn, resource] of [
      [USER_URN, user.json],
      [GROUP_URN, group.json],
    ]) {
      const attributes: readonly Named[] = (await send("GET", `/Schemas/${urn}`)).json.attributes;
      for (const [name, value] of Object.entries(resource)) {
        if (["schemas", "id", "meta"].includes(name)) continue;
        const described = attributes.find((one) => one.name === name);
        expect([name, described?.name]).toEqual([name, name]);
        const part: unknown = Array.isArray(value) ? value[0] : value;
        if (typeof part !== "object" || part === null) continue;
        const subAttributes = (described?.subAttributes ?? []).map((one) => one.name);
        expect(subAttributes).toEqual(expect.arrayContaining(Object.keys(part)));
      }
    }
  });

  test("addresses start with the public one where it is set", async () => {
    directory.publicOrigin = "https://public.example.com";
    directory.restart();
    const { json, headers } = await send("POST", "/Users", { userName: "ann" });
    const location = `https://public.example.com/scim/v2/Users/${json.id}`;
    expect([json.meta.location, headers.get("location")]).toEqual([location, location]);
  });
});
