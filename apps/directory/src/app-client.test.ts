import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createDirectoryClient, type DirectoryClient, DirectoryUnavailable } from "@berth/directory-client";
import { decide } from "@berth/directory-domain";
import { serve } from "@hono/node-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseAnnouncement } from "./cache/announcements.ts";
import { describeDirectory, PASS } from "./directory.testing.ts";
import { documentedFetch } from "./http/openapi-document.testing.ts";

const IMAGE = { images: [{ references: ["docker.io/library/nginx:1"] }] };

describeDirectory("the client", (directory) => {
  let client: DirectoryClient;
  let stop: () => Promise<void>;
  let url: string;
  let now: number;
  /** What the client's requests meet: the directory, or nothing. */
  let isCut: boolean;
  let requests: string[];
  /** Whether the events alone are cut. */
  let isUnheard: boolean;
  let dropConnections: () => void;

  beforeEach(async () => {
    [now, isCut, isUnheard, requests] = [0, false, false, []];
    const server = serve({
      fetch: (request) => documentedFetch(directory.app)(request),
      port: 0,
      hostname: "127.0.0.1",
    });
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const listening = await directory.database.listen(
      (payload) => directory.announcements.publish(parseAnnouncement(payload)),
      () => {},
    );
    dropConnections = () => "closeAllConnections" in server && server.closeAllConnections();
    stop = async () => {
      await client.close();
      await listening.stop();
      dropConnections();
      server.close();
      await once(server, "close");
    };
    client = make();
  });
  afterEach(() => stop());

  function make(token = directory.admin): DirectoryClient {
    return createDirectoryClient({
      url,
      token,
      monotonic: () => now,
      timeout: 10_000,
      fetch: (input, init) => {
        requests.push(new URL(String(input)).pathname);
        if (isCut) return Promise.reject(new TypeError("cut"));
        if (isUnheard && String(input).endsWith("/events")) return Promise.reject(new TypeError("cut"));
        return fetch(input, init);
      },
    });
  }

  /** Resolves once the client hears of changes: what it asks for is then kept. */
  async function heard(userId: number): Promise<void> {
    for (;;) {
      await client.effective(userId);
      const before = requests.length;
      now += 2_000;
      await client.effective(userId);
      if (requests.slice(before).every((path) => path === "/api/events")) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const allowed = async (userId: number) => {
    const effective = await client.effective(userId);
    return effective !== undefined && decide(IMAGE, effective).allowed;
  };

  test("resolves callers, logins and effective constraints", async () => {
    const { id, token } = await directory.addUser("ann", { role: "operator" });
    expect(await client.callerOf(token)).toEqual({
      id,
      login: "ann",
      role: "operator",
      active: true,
      scopes: ["read", "write", "engine"],
    });
    expect(await client.callerOf("bth_nonsense")).toBeUndefined();
    expect(await client.callerOf("two\r\nlines")).toBeUndefined();
    expect(await client.userByLogin("ANN")).toMatchObject({ id, login: "ann" });
    expect(await client.userByLogin("nobody")).toBeUndefined();
    expect(await client.effective(id)).toMatchObject({ subject: { login: "ann" }, constraints: [], unreadable: [] });
    expect(await client.effective(999)).toBeUndefined();
    await directory.send("POST", `/api/users/${id}/constraints`, {
      json: { kind: "quota", resource: "cpu", max: 0.5 },
    });
    now += 2_000;
    await expect.poll(async () => (await client.effective(id))?.constraints.length).toBe(1);
  });

  test("caches effective constraints until the next announced change", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await heard(id);
    const before = requests.length;
    for (let n = 0; n < 5; n++) expect(await allowed(id)).toBe(true);
    expect(requests.length).toBe(before);
    await directory.send("POST", `/api/users/${id}/constraints`, {
      json: { kind: "images", effect: "deny", patterns: ["*"] },
    });
    await expect.poll(() => allowed(id)).toBe(false);
    const group = await directory.addGroup("ops", [id]);
    await directory.send("DELETE", "/api/constraints/1");
    await expect.poll(() => allowed(id)).toBe(true);
    await directory.send("POST", `/api/groups/${group}/constraints`, {
      json: { kind: "images", effect: "deny", patterns: ["*"] },
    });
    await expect.poll(() => allowed(id)).toBe(false);
  });

  test("caches logins until the next announced change of a user", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await heard(id);
    expect(await client.userByLogin("ann")).toMatchObject({ id, active: true });
    const before = requests.length;
    for (let n = 0; n < 5; n++) expect(await client.userByLogin("ann")).toMatchObject({ id });
    expect(requests.length).toBe(before);
    await directory.send("PATCH", `/api/users/${id}`, { json: { login: "anna" } });
    await expect.poll(() => client.userByLogin("ann")).toBeUndefined();
    expect(await client.userByLogin("anna")).toMatchObject({ id });
    await directory.send("PATCH", `/api/users/${id}`, { json: { active: false } });
    await expect.poll(async () => (await client.userByLogin("anna"))?.active).toBe(false);
  });

  test("works with an operator's token of scope read", async () => {
    const operator = await directory.addUser("operator", { role: "operator" });
    const json = { label: "container service", scopes: ["read"] };
    const made = await directory.send("POST", "/api/tokens", { token: operator.token, json });
    await client.close();
    client = make(made.json.token);
    const { id } = await directory.addUser("ann", { pass: null });
    await heard(id);
    expect(await client.userByLogin("ann")).toMatchObject({ id });
  });

  test("caches for at most a second while the change feed is down", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await heard(id);
    isUnheard = true;
    dropConnections();
    await directory.send("POST", `/api/users/${id}/constraints`, {
      json: { kind: "images", effect: "deny", patterns: ["*"] },
    });
    now += 1_001;
    await expect.poll(() => allowed(id)).toBe(false);
  });

  test("during an outage it serves cached answers for a minute and refuses unknown users immediately", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    const other = await directory.addUser("bob", { pass: null });
    await heard(id);
    isCut = true;
    now += 57_000;
    expect(await allowed(id)).toBe(true);
    await expect(client.effective(other.id)).rejects.toThrow(DirectoryUnavailable);
    await expect(client.callerOf(directory.admin)).rejects.toThrow(DirectoryUnavailable);
    now += 2_000;
    await expect(client.effective(id)).rejects.toThrow(DirectoryUnavailable);
    isCut = false;
    expect(await allowed(id)).toBe(true);
  });

  test("an announced change invalidates the cache even during an outage", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await heard(id);
    isCut = true;
    await directory.send("PATCH", `/api/users/${id}`, { json: { active: false } });
    await expect
      .poll(() =>
        client.effective(id).then(
          () => "known",
          () => "refused",
        ),
      )
      .toBe("refused");
  });

  test("a token that the directory rejects yields no caller", async () => {
    const { id, token } = await directory.addUser("ann", { pass: PASS });
    for (const bad of ["bth_nonsense", token]) {
      await client.close();
      client = make(bad);
      await expect(client.userByLogin("admin")).rejects.toThrow(DirectoryUnavailable);
      // To a user's token other users do not exist: whoever asks with one gets nobody.
      if (bad === token) expect(await client.effective(1)).toBeUndefined();
      else await expect(client.effective(1)).rejects.toThrow(DirectoryUnavailable);
    }
    expect(id).toBeGreaterThan(1);
  });
});
