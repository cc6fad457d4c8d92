import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeDirectory, type Received, type TestDirectory } from "./directory.testing.ts";
import { isWeaker } from "./passwords/hasher.ts";

/*
 * Bugs that people reported about other directories (`cases.fixture.json`, C of the public cases), on this contract. Its
 * paths and fields are placeholders: a name is our login, a password our pass, a full name our name.
 */
interface Step {
  readonly req: string;
  readonly json?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly save?: Record<string, string>;
  readonly saveHeader?: Record<string, string>;
}
interface Expected {
  readonly status: number | readonly number[];
  readonly total?: number;
  readonly notMatch?: string;
  readonly at?: Record<string, string>;
}
interface Case {
  readonly id: string;
  readonly kind: "http" | "http-parallel" | "fn";
  readonly source: string;
  readonly input: {
    steps: Step[];
    parallel?: Step[];
    then?: Step[];
    calls?: [string, { m: number; t: number; p: number }][];
  };
  readonly expect: unknown;
}

const cases = JSON.parse(readFileSync(new URL("../fixtures/cases.fixture.json", import.meta.url), "utf8")) as Case[];
const FIELDS: Readonly<Record<string, string>> = { name: "login", password: "pass", fullName: "name" };

async function play(directory: TestDirectory, step: Step, saved: Map<string, string>): Promise<Received> {
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => saved.get(name) ?? "");
  const [method = "", path = ""] = step.req.split(" ");
  const isGroup = path.startsWith("/groups");
  const json =
    step.json &&
    Object.fromEntries(
      Object.entries(step.json).map(([key, value]) => [isGroup ? key : (FIELDS[key] ?? key), repeated(value)]),
    );
  const headers = Object.fromEntries(Object.entries(step.headers ?? {}).map(([name, value]) => [name, fill(value)]));
  const answer = await directory.send(method, `/api${fill(path)}`, { json, headers });
  for (const [name, field] of Object.entries(step.save ?? {})) saved.set(name, String(answer.json[field]));
  for (const [name, header] of Object.entries(step.saveHeader ?? {})) saved.set(name, answer.headers.get(header) ?? "");
  return answer;
}

/** A text of the given length. Not `a` repeated as in the fixture, since repetitive passwords are refused. */
function repeated(value: string): string {
  const [, length] = /^\$repeat:.:(\d+)$/.exec(value) ?? [];
  if (length === undefined) return value;
  return "vJ8 kettle of purple fish, ".repeat(Math.ceil(Number(length) / 27)).slice(0, Number(length));
}

function check(answer: Received, expected: Expected, path: string): void {
  expect([expected.status].flat()).toContain(answer.status);
  // The first administrator is in every list of users.
  if (expected.total !== undefined) expect(answer.json).toHaveLength(expected.total + (path === "GET /users" ? 1 : 0));
  if (expected.notMatch !== undefined) expect(answer.text).not.toMatch(new RegExp(expected.notMatch));
  for (const [pointer, value] of Object.entries(expected.at ?? {})) {
    const key = pointer.slice(1);
    expect(answer.json[FIELDS[key] ?? key]).toBe(value);
  }
}

describeDirectory("reported bugs", (directory) => {
  test.each(cases.filter((one) => one.kind === "http"))("$id $source", async ({ input, expect: wanted }) => {
    const saved = new Map<string, string>();
    for (const [index, step] of input.steps.entries())
      check(await play(directory, step, saved), (wanted as Expected[])[index] as Expected, step.req);
    expect(directory.faults).toEqual([]);
  });

  test.each(cases.filter((one) => one.kind === "http-parallel"))("$id $source", async ({ input, expect: wanted }) => {
    const saved = new Map<string, string>();
    for (const step of input.steps) await play(directory, step, saved);
    const { parallelStatusIn, then } = wanted as { parallelStatusIn: number[]; then: Expected[] };
    const answers = await Promise.all((input.parallel ?? []).map((step) => play(directory, step, saved)));
    for (const answer of answers) expect(parallelStatusIn).toContain(answer.status);
    for (const [index, step] of (input.then ?? []).entries())
      check(await play(directory, step, saved), then[index] as Expected, step.req);
  });

  test("C05 bytebase/bytebase#21267: paging by a key with ties returns each row once", async () => {
    const { send, database } = directory;
    const ids: number[] = [];
    for (let n = 0; n < 7; n++) ids.push((await directory.addUser(`user${n}`, { pass: null })).id);
    await database.db.execute("update directory.users set created_at = '2030-01-01'");
    const walked: number[] = [];
    for (let next: string | undefined = "/api/users?sort=createdAt&limit=2"; next !== undefined; ) {
      const page: Received = await send("GET", next);
      walked.push(...page.json.map((user: { id: number }) => user.id));
      next = /<(.+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(walked).toEqual([1, ...ids]);
  });
});

test("C11 phxql/argon2-jvm#56: a lower type, version or cost makes a hash weak", () => {
  const needsRehash = cases.find((one) => one.id === "C11");
  const calls = needsRehash?.input.calls ?? [];
  expect(calls.map(([hash, cost]) => isWeaker(hash, { memory: cost.m, passes: cost.t, lanes: cost.p }))).toEqual(
    needsRehash?.expect,
  );
  expect(calls).not.toHaveLength(0);
});
