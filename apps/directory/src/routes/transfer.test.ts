import { expect, test } from "vitest";
import { describeDirectory, PASS } from "../directory.testing.ts";

const NDJSON = { "content-type": "application/x-ndjson" };
const CSV = { "content-type": "text/csv" };
function line(n: number) {
  return JSON.stringify({ login: `user${n}`, email: `user${n}@example.test` });
}
function linesOf(count: number, change: Readonly<Record<number, string>> = {}) {
  return Array.from({ length: count }, (_, index) => change[index + 1] ?? line(index + 1)).join("\n");
}

describeDirectory("import and export", (directory) => {
  const importing = (body: string, headers: Record<string, string> = NDJSON) =>
    directory.send("POST", "/api/import/users", { body, headers });
  const count = async () =>
    Number((await directory.send("GET", "/api/users?limit=1&count=true")).headers.get("total-count"));

  test("round-trips users as JSON and as CSV", async () => {
    await directory.send("POST", "/api/users", {
      json: { login: "ann", email: "ann@example.test", name: 'Ann "A, B"', role: "operator", pass: PASS },
    });
    await directory.send("POST", "/api/users", {
      json: { login: "李雷", email: null, active: false, externalId: "x1" },
    });
    for (const [format, headers] of [
      ["json", NDJSON],
      ["csv", CSV],
    ] as const) {
      const exported = await directory.send("GET", `/api/export/users?format=${format}`);
      expect(exported.text).not.toMatch(/argon2/);
      for (const id of [2, 3, 4, 5]) await directory.send("DELETE", `/api/users/${id}`);
      const lines = exported.text.split(/(?<=\n)/).filter((one) => !one.includes("admin@localhost"));
      expect((await importing(lines.join(""), headers)).json).toEqual({ imported: 2 });
      const again = await directory.send("GET", `/api/export/users?format=${format}`);
      const bare = (text: string) => text.replaceAll(/"(id|createdAt|updatedAt)":[^,}]+/g, "");
      expect(bare(again.text)).toBe(bare(exported.text));
    }
  });

  test.each([
    ["no JSON", "{", 400, ""],
    ["a key twice", '{"login":"a","login":"b","email":"a@b"}', 400, ""],
    ["no e-mail", '{"login":"a"}', 422, "/2999/email"],
    ["an unknown field", '{"login":"a","email":"a@b","pass":"correct horse 1"}', 422, "/2999/pass"],
    ["a login of an earlier line", '{"login":"USER1","email":"a@b"}', 409, "/2999"],
    ["an e-mail of a user that is there", '{"login":"a","email":"admin@LOCALHOST"}', 409, "/2999"],
    ["a weak hash", '{"login":"a","email":"a@b","passHash":"$2b$10$abc"}', 422, "/2999/passHash"],
    ["a line without end", `{"login":"${"x".repeat(100_000)}`, 400, ""],
  ])("%s in line 2,999: nothing is imported, and the line is named", async (_name, bad, status, pointer) => {
    const answer = await importing(linesOf(3_000, { 2999: bad }));
    expect([answer.status, answer.json.errors?.[0]?.pointer ?? ""]).toEqual([status, pointer]);
    expect(answer.json.detail).toMatch(/^Line 2999:/);
    expect(await count()).toBe(1);
    expect(directory.faults).toEqual([]);
  });

  test.each([
    ["a missing column", "login,email\nann\n", 400, 2],
    ["a wrong role", "login,email,role\nann,ann@b,boss\n", 422, 2],
    ["an unknown column", "login,email,shoe\nann,ann@b,44\n", 422, 2],
    ["an open quote", 'login,email\n"ann,ann@b\n', 400, 2],
  ])("CSV with %s", async (_name, body, status, number) => {
    const answer = await importing(body, CSV);
    expect([answer.status, answer.json.detail]).toEqual([status, expect.stringMatching(`^Line ${number}:`)]);
    expect(await count()).toBe(1);
  });

  test.each([
    ["semicolons", "login;email;name;active\r\nann;ann@b;Lee, Ann;TRUE\r\n"],
    ["a byte order mark", '\ufefflogin,email,name,active\r\nann,ann@b,"Lee, Ann",True\r\n'],
    ["semicolons and a byte order mark", "\ufefflogin;email;name;active\nann;ann@b;Lee, Ann;true\n"],
    ["tabs", "login\temail\tname\tactive\nann\tann@b\tLee, Ann\tTRUE\n"],
  ])("CSV as spreadsheets write it: %s", async (_name, body) => {
    expect((await importing(body, CSV)).json).toEqual({ imported: 1 });
    const [ann] = (await directory.send("GET", "/api/users?login=ann")).json;
    expect(ann).toMatchObject({ email: "ann@b", name: "Lee, Ann", active: true });
  });

  test("FALSE imports a disabled user", async () => {
    await importing("login;email;active\nann;ann@b;FALSE\n", CSV);
    expect((await directory.send("GET", "/api/users?login=ann")).json).toMatchObject([{ active: false }]);
  });

  test.each(["=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "'=1", "''-x", "'plain", "a=b"])(
    "the name %s is exported so that no spreadsheet runs it, and imported again",
    async (name) => {
      await directory.send("POST", "/api/users", { json: { login: "ann", email: "ann@b", name } });
      const { text } = await directory.send("GET", "/api/export/users?format=csv");
      const cell = /^ann,ann@b,"?(.)/m.exec(text)?.[1];
      expect(cell).not.toMatch(/[=+\-@]/);
      await directory.send("DELETE", "/api/users/2");
      await importing(text.replace(/^admin,.*\n/m, ""), CSV);
      expect((await directory.send("GET", "/api/users?login=ann")).json).toMatchObject([{ name }]);
    },
  );

  test("streams its progress on request and ends with the outcome", async () => {
    const told = async (body: string) =>
      (await importing(body, { ...NDJSON, accept: "application/x-ndjson" })).text
        .trim()
        .split("\n")
        .map((one) => JSON.parse(one));
    const good = await told(linesOf(2_500));
    expect(good.slice(-2)).toEqual([{ progress: { written: 2_500 } }, { imported: 2_500 }]);
    // A reader that is slower than the work is told less often, and never of what was before.
    const steps = good.slice(0, -1).map(({ progress }) => progress.checked ?? 2_500 + progress.written);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect((await told(line(1))).at(-1)).toMatchObject({ problem: { status: 409, code: "conflict" } });
    const [entry] = (await directory.send("GET", "/api/audit?target=users")).json;
    expect(entry).toMatchObject({ actor: 1, action: "user.import", after: { count: 2_500 } });
  });

  test("only a line feed ends a line of an import", async () => {
    const externalId = "a\u2028b";
    const body = JSON.stringify({ login: "ann", email: "ann@example.test", externalId });
    expect((await importing(body)).json).toEqual({ imported: 1 });
    expect((await directory.send("GET", "/api/users/2")).json).toMatchObject({ externalId });
  });

  test("an imported hash signs its user in", async () => {
    const made = await directory.addUser("ann");
    const passHash = await directory.deps.records.users.passHash(made.id);
    expect((await importing(JSON.stringify({ login: "bob", email: "bob@b", passHash }))).json).toEqual({ imported: 1 });
    expect(
      (await directory.send("POST", "/api/login", { token: null, json: { login: "bob", pass: PASS } })).status,
    ).toBe(200);
  });
});
