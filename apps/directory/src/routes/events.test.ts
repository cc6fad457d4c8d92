import { expect, test } from "vitest";
import { parseAnnouncement } from "../cache/announcements.ts";
import { describeDirectory, type TestDirectory } from "../directory.testing.ts";

/** Reads an event stream until it has told `count` events. */
async function eventsOf(response: Response, count: number): Promise<readonly string[]> {
  const events: string[] = [];
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  while (events.length < count) {
    const { value, done } = await reader.read();
    if (done) break;
    events.push(
      ...decoder
        .decode(value)
        .split("\n\n")
        .filter((one) => one.startsWith("event:")),
    );
  }
  await reader.cancel();
  return events.map((one) => one.replaceAll(/event: |data: /g, "").replace("\n", " "));
}

async function follow(directory: TestDirectory): Promise<Response> {
  const headers = { authorization: `Bearer ${directory.admin}` };
  return directory.app.fetch(new Request("http://directory.test/api/events", { headers }));
}

describeDirectory("events", (directory) => {
  test("announce every change that may alter a decision, and no other", async () => {
    const listening = await directory.database.listen(
      (payload) => directory.announcements.publish(parseAnnouncement(payload)),
      () => {},
    );
    const { send } = directory;
    const { id } = await directory.addUser("ann", { pass: null });
    const group = await directory.addGroup("ops");
    const stream = await follow(directory);
    const expected = ["all true"];
    const changes: readonly [() => Promise<unknown>, string?][] = [
      [() => send("PATCH", `/api/users/${id}`, { json: { name: "Ann" } })],
      [() => send("PUT", `/api/groups/${group}/members/${id}`), `user ${id}`],
      [() => send("POST", `/api/users/${id}/constraints`, { json: { kind: "images", patterns: [] } }), `user ${id}`],
      [
        () => send("POST", `/api/groups/${group}/constraints`, { json: { kind: "images", patterns: [] } }),
        `group ${group}`,
      ],
      [() => send("DELETE", "/api/constraints/2"), `group ${group}`],
      [() => send("PATCH", `/api/users/${id}`, { json: { active: false } }), `user ${id}`],
      [() => send("DELETE", `/api/groups/${group}/members/${id}`), `user ${id}`],
      [() => send("DELETE", `/api/users/${id}`), `user ${id}`],
    ];
    for (const [change, event] of changes) {
      await change();
      if (event !== undefined) expected.push(event);
    }
    expect(await eventsOf(stream, expected.length)).toEqual(expected);
    await listening.stop();
  });

  test("removing a group with over a hundred members is announced once", async () => {
    const { db } = directory.database;
    const heard: string[] = [];
    const group = await directory.addGroup("many");
    await db.execute(`insert into directory.users (login, login_key, email, email_key)
      select 'u' || n, 'u' || n, n || '@b.c', n || '@b.c' from generate_series(1, 150) n`);
    await db.execute(`insert into directory.memberships (user_id, group_id) select id, ${group} from directory.users`);
    let told = () => {};
    const done = new Promise<void>((resolve) => {
      told = resolve;
    });
    const listening = await directory.database.listen(
      (payload) => {
        heard.push(payload);
        if (payload.includes("user")) told();
      },
      () => {},
    );
    await directory.send("DELETE", `/api/groups/${group}`);
    // The last change made is the last that is told.
    await directory.send("PATCH", "/api/users/2", { json: { active: false } });
    await done;
    expect(heard.map((one) => JSON.parse(one))).toEqual([{ all: true }, { user: 2 }]);
    await listening.stop();
  });

  test("an unreadable payload means everyone", () => {
    for (const payload of ["", "{", "null", '{"colour":1}']) expect(parseAnnouncement(payload)).toEqual({ all: true });
  });
});
