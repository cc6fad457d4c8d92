import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";

describeDirectory("the sign-in of commands", (directory) => {
  const begin = async (headers: Readonly<Record<string, string>> = {}) =>
    await directory.send("POST", "/api/device-logins", { token: null, json: { label: "ann@laptop" }, headers });
  const fetchToken = (deviceCode: string) =>
    directory.send("POST", "/api/device-logins/token", { token: null, json: { deviceCode } });

  test("gives a command a token of the user who approves its code, once", async () => {
    const ann = await directory.addUser("ann");
    const { json: begun } = await begin();
    expect(begun.userCode).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(begun.path).toBe(`/device?code=${begun.userCode}`);
    expect((await fetchToken(begun.deviceCode)).status).toBe(202);
    const path = `/api/device-logins/${begun.userCode.toLowerCase()}`;
    expect((await directory.send("GET", path, { token: ann.token })).json).toMatchObject({
      label: "ann@laptop",
      address: "127.0.0.1",
    });
    expect((await directory.send("PUT", path, { token: ann.token, json: { answer: "approve" } })).status).toBe(204);
    // The first answer counts.
    expect((await directory.send("PUT", path, { json: { answer: "approve" } })).status).toBe(404);
    const { json: session } = await fetchToken(begun.deviceCode);
    expect(session.user).toMatchObject({ id: ann.id, login: "ann" });
    expect((await directory.send("GET", "/api/me", { token: session.token })).json).toMatchObject({
      login: "ann",
      scopes: ["read", "write", "engine"],
    });
    expect((await fetchToken(begun.deviceCode)).status).toBe(404);
  });

  test("gives nothing for what was declined, has expired, or is unknown", async () => {
    const { json: declined } = await begin();
    const path = `/api/device-logins/${declined.userCode}`;
    expect((await directory.send("PUT", path, { json: { answer: "decline" } })).status).toBe(204);
    expect((await fetchToken(declined.deviceCode)).status).toBe(403);
    expect((await fetchToken(declined.deviceCode)).status).toBe(404);
    const { json: slow } = await begin();
    directory.clock = new Date(Date.now() + 11 * 60_000);
    expect((await directory.send("GET", `/api/device-logins/${slow.userCode}`)).status).toBe(404);
    expect((await fetchToken(slow.deviceCode)).status).toBe(404);
    expect((await fetchToken("bth_x")).status).toBe(404);
  });

  test("is approved by nobody whose own token may do less, and gives nothing of a disabled user", async () => {
    const ann = await directory.addUser("ann");
    const { json: begun } = await begin();
    const path = `/api/device-logins/${begun.userCode}`;
    const json = { label: "weak", scopes: ["read", "write"], userId: ann.id };
    const { token } = (await directory.send("POST", "/api/tokens", { json })).json;
    const weak = await directory.send("PUT", path, { token, json: { answer: "approve" } });
    expect([weak.status, weak.json.detail]).toEqual([403, expect.stringContaining("engine")]);
    await directory.send("PUT", path, { token: ann.token, json: { answer: "approve" } });
    await directory.send("PATCH", `/api/users/${ann.id}`, { json: { active: false } });
    expect((await fetchToken(begun.deviceCode)).status).toBe(403);
  });

  test("bounds how many commands of one address wait", async () => {
    for (let n = 0; n < 20; n++) expect((await begin()).status).toBe(201);
    const refused = await begin();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await begin({ "x-test-address": "192.0.2.9" })).status).toBe(201);
    directory.clock = new Date(Date.now() + 11 * 60_000);
    expect((await begin()).status).toBe(201);
  });
});
