import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { expect, test, vi } from "vitest";
import type { Page } from "../accounts/stores.ts";
import { describeDirectory, type TestDirectory } from "../directory.testing.ts";
import { CSV_TYPE, NDJSON_TYPE, spoolUsers } from "./user-lines.ts";

/*
 * However many users there are, the memory of a few batches does: nothing is fetched, read or written further ahead of
 * whoever takes it. Counted in rows, since a figure of memory says little about so few.
 */
const BATCH = 1_000;
const USERS = 6 * BATCH;

/** Users to list and to export, without the cost of importing them. */
async function addMany({ database }: TestDirectory): Promise<void> {
  await database.db.execute(`insert into directory.users (login, login_key, email, email_key)
    select 'u' || n, 'u' || n, n || '@b.c', n || '@b.c' from generate_series(1, ${USERS - 1}) n`);
}

/** Counts the rows that the database gives. */
function countRows(directory: TestDirectory): { fetched: number } {
  const { records } = directory.deps;
  const counter = { fetched: 0 };
  const page = async (query: Parameters<typeof records.users.page>[0], wanted: Page) => {
    const rows = await records.users.page(query, wanted);
    counter.fetched += rows.length;
    return rows;
  };
  Object.assign(directory.deps, { records: { ...records, users: { ...records.users, page } } });
  directory.restart();
  return counter;
}

async function open(directory: TestDirectory, path: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const headers = { authorization: `Bearer ${directory.admin}` };
  const { body } = await directory.app.fetch(new Request(`http://directory.test${path}`, { headers }));
  return (body as ReadableStream<Uint8Array>).getReader();
}

function rowsIn(chunk: Uint8Array | undefined) {
  return new TextDecoder().decode(chunk).match(/admin@localhost|\d@b\.c/g)?.length ?? 0;
}

describeDirectory("streams", (directory) => {
  test.each(["/api/users", "/api/export/users?format=json", "/api/export/users?format=csv"])(
    "GET %s fetches at most three batches ahead of its reader",
    async (path) => {
      await addMany(directory);
      const rows = countRows(directory);
      const slow = await open(directory, path);
      let taken = rowsIn((await slow.read()).value);
      // Whatever does not wait for its reader has all the time to fetch that another reader takes to read everything.
      const before = rows.fetched;
      const quick = await open(directory, path);
      let all = 0;
      for (let read = await quick.read(); !read.done; read = await quick.read()) all += rowsIn(read.value);
      expect(all).toBe(USERS);
      const ahead = () => rows.fetched - USERS - taken;
      expect(before - taken).toBeLessThanOrEqual(3 * BATCH);
      expect(ahead()).toBeLessThanOrEqual(3 * BATCH);
      for (let read = await slow.read(); !read.done; read = await slow.read()) {
        taken += rowsIn(read.value);
        expect(ahead()).toBeLessThanOrEqual(3 * BATCH);
      }
      expect([taken, rows.fetched]).toEqual([USERS, 2 * USERS]);
    },
  );

  test("stops fetching when the reader stops", async () => {
    await addMany(directory);
    const rows = countRows(directory);
    const reader = await open(directory, "/api/users");
    await reader.read();
    await reader.cancel();
    const fetched = rows.fetched;
    await directory.send("GET", "/api/users");
    expect(rows.fetched - USERS - fetched).toBeLessThanOrEqual(BATCH);
    expect(directory.faults).toEqual([]);
  });

  test.each(["/api/users", "/api/export/users?format=json", "/api/export/users?format=csv"])(
    "GET %s answers 500 when the first batch fails and cuts the connection when a later one does",
    async (path) => {
      await addMany(directory);
      const { records } = directory.deps;
      const fault = new Error("a statement with 'values'");
      let left = 0;
      const page: typeof records.users.page = (query, wanted) =>
        left-- > 0 ? records.users.page(query, wanted) : Promise.reject(fault);
      Object.assign(directory.deps, { records: { ...records, users: { ...records.users, page } } });
      directory.restart();
      const server = serve({ fetch: directory.app.fetch, port: 0, hostname: "127.0.0.1" });
      await once(server, "listening");
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
      const get = () => fetch(url, { headers: { authorization: `Bearer ${directory.admin}` } });
      expect((await get()).status).toBe(500);
      left = 2;
      const printed = vi.spyOn(console, "error").mockImplementation(() => {});
      const answer = await get();
      expect(answer.status).toBe(200);
      const read: string[] = [];
      const reading = async () => {
        for await (const piece of answer.body ?? []) read.push(new TextDecoder().decode(piece));
      };
      await expect(reading()).rejects.toThrow("terminated");
      expect(`${read.join("")}${printed.mock.calls.join("")}`).not.toContain("values");
      expect(directory.faults).toEqual([fault, fault]);
      printed.mockRestore();
      server.close();
    },
  );

  test.each([
    [NDJSON_TYPE, "", (n: number) => `{"login":"u${n}","email":"${n}@b.c"}\n`],
    [CSV_TYPE, "login,email\n", (n: number) => `u${n},${n}@b.c\n`],
  ])("an upload of %s is read as fast as it is checked and written in batches", async (type, head, line) => {
    const CHUNK = 100;
    let read = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
      pull(controller) {
        if (read === USERS) return controller.close();
        const lines = Array.from({ length: CHUNK }, () => line(read++)).join("");
        controller.enqueue(new TextEncoder().encode(lines));
      },
    });
    const ahead: number[] = [];
    const spooled = await spoolUsers(body, type, (checked) => ahead.push(read - checked));
    expect(ahead.length).toBeGreaterThanOrEqual(USERS / BATCH);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(5 * BATCH);
    const sizes: number[] = [];
    for await (const batch of spooled.batches) sizes.push(batch.length);
    expect(sizes).toEqual(Array.from({ length: USERS / BATCH }, () => BATCH));
    await spooled.remove();
  });
});
