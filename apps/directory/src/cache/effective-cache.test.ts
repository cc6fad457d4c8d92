import type { ConstraintId } from "@berth/directory-domain";
import { expect, test } from "vitest";
import type { PolicyReader } from "../accounts/stores.ts";
import { describeDirectory, type TestDirectory } from "../directory.testing.ts";
import { Announcements } from "./announcements.ts";
import { ChangeFeed } from "./change-feed.ts";
import { EffectiveCache } from "./effective-cache.ts";

const start = Date.parse("2030-01-01T00:00:00.000Z");

/** A cache of its own; `asked` returns the statements it sent since the last call. */
function service(directory: TestDirectory, reader: PolicyReader = directory.deps.records.policy) {
  const statements: string[] = [];
  const policy: PolicyReader = {
    effective: (id) => {
      statements.push("all");
      return reader.effective(id);
    },
    version: (id) => {
      statements.push("version");
      return reader.version(id);
    },
  };
  const announcements = new Announcements();
  const feed = { live: false };
  const changes = new ChangeFeed({ ...directory.deps.records, policy }, announcements, () => feed.live);
  const cache = new EffectiveCache(directory.deps, changes);
  const effectiveOf = (id: number) => cache.effectiveOf(id);
  return { announcements, feed, effectiveOf, asked: () => statements.splice(0) };
}

function constrain(directory: TestDirectory, owner: string, fields: object = {}) {
  return directory.send("POST", `/api/${owner}/constraints`, { json: { kind: "images", patterns: ["a"], ...fields } });
}

describeDirectory("the cache of effective constraints", (directory) => {
  const at = (milliseconds: number) => {
    directory.clock = new Date(start + milliseconds);
  };

  test("serves an entry for a second or until the next change, then compares its version only", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    at(0);
    const { effectiveOf, announcements, feed, asked } = service(directory);
    const first = await effectiveOf(id);
    at(999);
    expect(await effectiveOf(id)).toBe(first);
    expect(asked()).toEqual(["all"]);
    at(1_000);
    expect(await effectiveOf(id)).toBe(first);
    at(1_999);
    expect(await effectiveOf(id)).toBe(first);
    expect(asked()).toEqual(["version"]);
    for (const announcement of [{ user: id }, { group: 1 }, { all: true }] as const) {
      announcements.publish(announcement);
      expect(await effectiveOf(id)).toBe(first);
      expect(await effectiveOf(id)).toBe(first);
      expect(asked()).toEqual(["version"]);
    }
    // Longer while every change would have been heard of.
    feed.live = true;
    at(90_000);
    expect(await effectiveOf(id)).toBe(first);
    expect(asked()).toEqual([]);
    feed.live = false;
    expect(await effectiveOf(id)).toBe(first);
    expect(asked()).toEqual(["version"]);
    // The clock was set back: what had expired may hold again.
    at(500);
    expect(await effectiveOf(id)).not.toBe(first);
    expect(asked()).toEqual(["all"]);
  });

  test.each(["users", "groups"])(
    "re-reads constraints of %s after an unannounced change, within a second",
    async (owners) => {
      const { id } = await directory.addUser("ann", { pass: null });
      const group = await directory.addGroup("ops", [id]);
      at(0);
      const { effectiveOf, asked } = service(directory);
      const first = await effectiveOf(id);
      await constrain(directory, `${owners}/${owners === "users" ? id : group}`);
      expect(await effectiveOf(id)).toBe(first);
      at(1_000);
      const { effective, version } = await effectiveOf(id);
      expect(effective.constraints).toHaveLength(1);
      expect(version).not.toBe(first.version);
      expect(asked()).toEqual(["all", "version", "all"]);
    },
  );

  test("drops an entry when one of its constraints expires", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await constrain(directory, `users/${id}`, { expiresAt: new Date(start + 500).toISOString() });
    await constrain(directory, `users/${id}`, { expiresAt: new Date(start + 900).toISOString() });
    const { effectiveOf } = service(directory);
    const counts = [];
    for (const time of [0, 499, 500, 899, 900]) {
      at(time);
      counts.push((await effectiveOf(id)).effective.constraints.length);
    }
    expect(counts).toEqual([2, 2, 1, 1, 0]);
  });

  test("reads but does not cache an entry larger than the cache", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await constrain(directory, `users/${id}`);
    const reader = directory.deps.records.policy;
    const many: PolicyReader = {
      ...reader,
      async effective(user) {
        const read = await reader.effective(user);
        const [first] = read?.constraints ?? [];
        if (read === undefined || first === undefined) return read;
        const constraints = Array.from({ length: 300_000 }, (_, n) => ({ ...first, id: n as ConstraintId }));
        return { ...read, constraints };
      },
    };
    at(0);
    const { effectiveOf, asked } = service(directory, many);
    for (let n = 0; n < 2; n++) expect((await effectiveOf(id)).effective.constraints).toHaveLength(300_000);
    expect(asked()).toEqual(["all", "all"]);
  });

  test("throws not-found for removed and unknown users", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    at(0);
    const { effectiveOf, announcements } = service(directory);
    await effectiveOf(id);
    await directory.send("DELETE", `/api/users/${id}`);
    announcements.publish({ user: id });
    await expect(effectiveOf(id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(effectiveOf(999)).rejects.toMatchObject({ kind: "not-found" });
  });

  test.each(["effective", "version"] as const)("does not trust a %s that a change overtook", async (what) => {
    const { id } = await directory.addUser("ann", { pass: null });
    const reader = directory.deps.records.policy;
    let overtake = async () => {};
    const overtaken = {
      ...reader,
      async [what](user: number) {
        const answer = await reader[what](user);
        await overtake();
        return answer;
      },
    };
    at(0);
    const { effectiveOf, announcements } = service(directory, overtaken);
    if (what === "version") await effectiveOf(id);
    at(1_000);
    overtake = async () => {
      await constrain(directory, `users/${id}`);
      announcements.publish({ user: id });
      overtake = async () => {};
    };
    expect((await effectiveOf(id)).effective.constraints).toHaveLength(0);
    expect((await effectiveOf(id)).effective.constraints).toHaveLength(1);
  });

  test("reflects a change made through the service before that change is answered", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    at(0);
    const patterns = async () => {
      const { json } = await directory.send("GET", `/api/users/${id}/effective-constraints`);
      return json.constraints.map((one: { patterns: string[] }) => one.patterns[0]);
    };
    expect(await patterns()).toEqual([]);
    for (const n of [1, 2]) {
      await constrain(directory, `users/${id}`, { patterns: [`docker.io/a/${n}`] });
      expect(await patterns()).toHaveLength(n);
      expect(await patterns()).toEqual(["docker.io/a/1", "docker.io/a/2"].slice(0, n));
    }
  });
});
