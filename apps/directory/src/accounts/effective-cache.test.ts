import { expect, test } from "vitest";
import { describeOnEachDatabase, type TestDirectory } from "../directory.testing.ts";
import { createAnnouncements } from "./announcements.ts";
import { createChangeFeed } from "./change-feed.ts";
import { createEffectiveCache, type EffectiveOf } from "./effective-cache.ts";
import type { PolicyReader } from "./stores.ts";

const start = Date.parse("2030-01-01T00:00:00.000Z");

/** What holds, as a service of its own knows it: `asked` are the statements that it sent since it was last looked at. */
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
  const announcements = createAnnouncements();
  const ears = { hear: false };
  const changes = createChangeFeed({ ...directory.deps.records, policy }, announcements, () => ears.hear);
  const effectiveOf: EffectiveOf = createEffectiveCache(directory.deps, changes);
  return { announcements, ears, effectiveOf, asked: () => statements.splice(0) };
}

const constrain = (directory: TestDirectory, owner: string, fields: object = {}) =>
  directory.send("POST", `/api/${owner}/constraints`, { json: { kind: "images", patterns: ["a"], ...fields } });

describeOnEachDatabase("what is known to hold", (directory) => {
  const at = (milliseconds: number) => {
    directory.clock = new Date(start + milliseconds);
  };

  test("is believed for a second and until the next change is heard of, and then costs its version alone", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    at(0);
    const { effectiveOf, announcements, ears, asked } = service(directory);
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
    ears.hear = true;
    at(90_000);
    expect(await effectiveOf(id)).toBe(first);
    expect(asked()).toEqual([]);
    ears.hear = false;
    expect(await effectiveOf(id)).toBe(first);
    expect(asked()).toEqual(["version"]);
    // The clock was set back: what had expired may hold again.
    at(500);
    expect(await effectiveOf(id)).not.toBe(first);
    expect(asked()).toEqual(["all"]);
  });

  test.each(["users", "groups"])(
    "is read anew when what %s own has changed, unheard of for a second",
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

  test("ends at the instant at which a constraint does", async () => {
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

  test("is not kept where it is more than is kept of all, and read all the same", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    await constrain(directory, `users/${id}`);
    const reader = directory.deps.records.policy;
    const many: PolicyReader = {
      ...reader,
      async effective(user) {
        const read = await reader.effective(user);
        const constraints = Array.from({ length: 300_000 }, (_, n) =>
          Object.assign({ ...read?.constraints[0] }, { id: n }),
        );
        return read && { ...read, constraints: constraints as unknown as typeof read.constraints };
      },
    };
    at(0);
    const { effectiveOf, asked } = service(directory, many);
    for (let n = 0; n < 2; n++) expect((await effectiveOf(id)).effective.constraints).toHaveLength(300_000);
    expect(asked()).toEqual(["all", "all"]);
  });

  test("is nothing of a user that is gone, nor anything of one that never was", async () => {
    const { id } = await directory.addUser("ann", { pass: null });
    at(0);
    const { effectiveOf, announcements } = service(directory);
    await effectiveOf(id);
    await directory.send("DELETE", `/api/users/${id}`);
    announcements.publish({ user: id });
    await expect(effectiveOf(id)).rejects.toMatchObject({ kind: "not-found" });
    await expect(effectiveOf(999)).rejects.toMatchObject({ kind: "not-found" });
  });

  test.each(["effective", "version"] as const)(
    "is not believed when a change overtook the reading of its %s",
    async (what) => {
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
    },
  );

  test("follows what the service itself changes before that is answered, and shows it", async () => {
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
