import { expect, test } from "vitest";
import { describeDirectory, type TestDirectory } from "../directory.testing.ts";
import { ActorCache } from "./actor-cache.ts";
import { Announcements, parseAnnouncement } from "./announcements.ts";
import { ChangeFeed } from "./change-feed.ts";

/** Callers as another service on the same database knows them; `heard` ends with the next announcement it hears. */
async function anotherService(directory: TestDirectory) {
  const announcements = new Announcements();
  const listening = await directory.database.listen(
    (payload) => announcements.publish(parseAnnouncement(payload)),
    () => {},
  );
  const heard = () => new Promise<void>((resolve) => announcements.subscribe(() => resolve()));
  const changes = new ChangeFeed(directory.deps.records, announcements, listening.isLive);
  return { actors: new ActorCache(directory.deps, changes), heard, stop: listening.stop };
}

/** How often the database is asked for a token while `work` runs. */
async function lookUps(directory: TestDirectory, work: (actors: ActorCache) => Promise<void>): Promise<number> {
  let count = 0;
  const { tokens } = directory.deps.records;
  const counted = {
    ...tokens,
    findBySha256(sha256: Uint8Array) {
      count++;
      return tokens.findBySha256(sha256);
    },
  };
  const changes = new ChangeFeed({ ...directory.deps.records, tokens: counted }, directory.announcements, () => false);
  await work(new ActorCache(directory.deps, changes));
  return count;
}

describeDirectory("the actor cache", (directory) => {
  test("queries the database once a second, and again after a user changes", async () => {
    directory.clock = new Date("2030-01-01T00:00:00.000Z");
    const { admin, announcements } = directory;
    const asked = await lookUps(directory, async (actors) => {
      const after = async (milliseconds: number) => {
        directory.clock = new Date(Date.parse("2030-01-01T00:00:00.000Z") + milliseconds);
        expect((await actors.actorOf(admin))?.login).toBe("admin");
      };
      await after(0);
      await after(999);
      announcements.publish({ group: 1 });
      await after(999);
      // One for each of the following: older than a second, the clock set back, a user changed, anything may have.
      await after(1_000);
      await after(500);
      announcements.publish({ user: 7 });
      await after(500);
      announcements.publish({ all: true });
      await after(500);
    });
    expect(asked).toBe(5);
  });

  test("discards a look-up that a change overtook", async () => {
    const { id, token } = await directory.addUser("ann");
    const { records } = directory.deps;
    let overtake = async () => {};
    const findBySha256 = async (sha256: Uint8Array) => {
      const found = await records.tokens.findBySha256(sha256);
      await overtake();
      return found;
    };
    const changes = new ChangeFeed(
      { ...records, tokens: { ...records.tokens, findBySha256 } },
      new Announcements(),
      () => false,
    );
    const known = new ActorCache(directory.deps, changes);
    overtake = () => changes.records.change(null, (stores) => stores.tokens.removeAll(id, { except: null }));
    expect((await known.actorOf(token))?.login).toBe("ann");
    overtake = async () => {};
    expect(await known.actorOf(token)).toBeUndefined();
  });

  test("rejects a cached token once it has expired", async () => {
    directory.clock = new Date("2030-01-01T00:00:00.000Z");
    const json = { label: "short", scopes: ["read"], expiresAt: "2030-01-01T00:00:00.500Z" };
    const { token } = (await directory.send("POST", "/api/tokens", { json })).json;
    expect((await directory.send("GET", "/api/me", { token })).status).toBe(200);
    directory.clock = new Date("2030-01-01T00:00:00.500Z");
    expect((await directory.send("GET", "/api/me", { token })).status).toBe(401);
  });

  test.each([
    { becomes: "revoked", method: "DELETE", path: "/api/tokens/{token}" },
    { becomes: "that of nobody", method: "DELETE", path: "/api/users/{user}" },
    { becomes: "an operator's", method: "PATCH", path: "/api/users/{user}", json: { role: "operator" } },
  ])("a token that becomes $becomes is known as that to every service once it is announced", async (change) => {
    const { id } = await directory.addUser("ann", { pass: null });
    const json = { label: "x", scopes: ["read"], userId: id };
    const made = (await directory.send("POST", "/api/tokens", { json })).json;
    // Time stands still: only the announcement can make the other service ask again.
    directory.clock = new Date();
    const { actors, heard, stop } = await anotherService(directory);
    expect((await actors.actorOf(made.token))?.role).toBe("user");
    const announced = heard();
    const path = change.path.replace("{token}", made.id).replace("{user}", String(id));
    expect((await directory.send(change.method, path, { json: change.json })).status).toBeLessThan(300);
    await announced;
    expect((await actors.actorOf(made.token))?.role).toBe(change.json?.role);
    await stop();
  });
});
