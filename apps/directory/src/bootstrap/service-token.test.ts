import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { ensureServiceToken, SERVICE_LOGIN } from "./service-token.ts";

describeDirectory("the container service's token", (directory) => {
  let kept: string | undefined;
  const ensure = async (held: string | undefined, label = "host:/state") =>
    ensureServiceToken(directory.deps, {
      held,
      label,
      keep: async (token) => {
        kept = token;
      },
    });
  const account = async () => {
    const { json } = await directory.send("GET", `/api/users?login=${SERVICE_LOGIN}`);
    return json[0];
  };
  const tokens = async (): Promise<readonly { readonly id: number; readonly label: string }[]> =>
    (await directory.send("GET", `/api/tokens?userId=${(await account()).id}`)).json;
  const revokeAll = async () => {
    for (const { id } of await tokens()) await directory.send("DELETE", `/api/tokens/${id}`);
  };

  test("belongs to a service account, reads users and changes nothing", async () => {
    expect(await ensure(undefined)).toBe("issued");
    expect(await account()).toMatchObject({ kind: "service", role: "operator", active: true, email: null });
    const { id } = await directory.addUser("ann");
    const as = { token: kept ?? "" };
    for (const path of [`/api/users/${id}/effective-constraints`, "/api/users?login=ann"])
      expect((await directory.send("GET", path, as)).status).toBe(200);
    expect((await directory.send("PATCH", `/api/users/${id}`, { ...as, json: { name: "x" } })).status).toBe(403);
    expect(
      (await directory.send("POST", "/api/tokens", { ...as, json: { label: "x", scopes: ["read"] } })).status,
    ).toBe(403);
  });

  test("is kept while it opens the directory, and replaced once it is revoked", async () => {
    await ensure(undefined);
    const first = kept;
    expect(await ensure(first)).toBe("kept");
    await revokeAll();
    expect(await ensure(first)).toBe("issued");
    expect(kept).not.toBe(first);
    expect(await ensure("no token at all")).toBe("issued");
  });

  test("is replaced where it is from before it could report to the audit", async () => {
    await ensure(undefined);
    const json = { label: "by hand", scopes: ["read"], userId: (await account()).id };
    const narrow = (await directory.send("POST", "/api/tokens", { json })).json.token;
    expect(await ensure(narrow)).toBe("issued");
    expect(await ensure(kept)).toBe("kept");
  });

  test("replaces the earlier one of its host, and no other host's", async () => {
    await ensure(undefined, "one:/state");
    await ensure(undefined, "other:/state");
    await ensure(undefined, "one:/state");
    expect((await tokens()).map(({ label }) => label).sort()).toEqual(["one:/state", "other:/state"]);
  });

  test("goes to an account that an administrator made for it", async () => {
    await directory.addUser(SERVICE_LOGIN, { role: "operator" });
    expect(await ensure(undefined)).toBe("issued");
    expect(await account()).toMatchObject({ kind: "person" });
  });

  test.each([
    [{ role: "user" }, "has the role user"],
    [{ role: "admin" }, "has the role admin"],
    [{ active: false }, "is disabled"],
  ])("goes to no account with %j", async (fields, reason) => {
    await ensure(undefined);
    const first = kept;
    await directory.send("PATCH", `/api/users/${(await account()).id}`, { json: fields });
    await revokeAll();
    expect(await ensure(first)).toEqual({ refused: expect.stringContaining(reason) });
  });
});
