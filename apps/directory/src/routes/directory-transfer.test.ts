import fc from "fast-check";
import { expect, test } from "vitest";
import { describeDirectory, PASS, type TestDirectory } from "../directory.testing.ts";
import { NDJSON_TYPE } from "../http/user-lines.ts";

function send(directory: TestDirectory, text: string, existing = "refuse") {
  return directory.send("POST", `/api/import?existing=${existing}`, {
    body: text,
    headers: { "content-type": NDJSON_TYPE },
  });
}

async function exported({ send: ask }: TestDirectory, query = ""): Promise<string> {
  const answer = await ask("GET", `/api/export${query}`);
  expect(answer.status).toBe(200);
  return answer.text;
}

/** The lines of an export without the moment of the export, in an order that does not depend on ids. */
function content(text: string): readonly string[] {
  const [, ...lines] = text.trimEnd().split("\n");
  return lines.sort();
}

function fileOf(...lines: readonly object[]): string {
  const header = { type: "directory", version: 1, exportedAt: "2030-01-01T00:00:00.000Z", passwords: false };
  const end = { type: "end", lines: lines.length };
  return `${[header, ...lines, end].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

const word = fc.stringMatching(/^[a-zà-ü][a-z0-9 ]{0,8}[a-z0-9]$/);
const text = fc.string({ minLength: 1, maxLength: 20 }).filter((one) => one.trim() === one && !/\p{C}/u.test(one));
const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(text, fc.boolean(), fc.integer()), {
  maxKeys: 3,
});
const user = fc.record({
  login: word,
  email: fc.boolean(),
  name: fc.option(text),
  givenName: fc.option(text),
  otherEmails: fc.array(fc.record({ value: fc.constant("x@y.test"), type: fc.option(fc.constant("home")) }), {
    maxLength: 2,
  }),
  role: fc.constantFrom("user", "operator", "admin"),
  kind: fc.constantFrom("person", "service"),
  active: fc.boolean(),
  fields,
});
const rule = fc.constantFrom(
  { kind: "host-ports", effect: "grant", ports: [{ start: 80, end: 90, protocol: "tcp" }] },
  { kind: "images", effect: "limit", patterns: ["nginx"] },
  { kind: "mounts", effect: "deny", folders: [{ path: "/srv", readOnly: true }] },
  { kind: "quota", effect: "limit", resource: "memory", max: 5 },
);
const wholeDirectory = fc.record({
  users: fc.uniqueArray(user, { maxLength: 6, selector: ({ login }) => login.toLowerCase() }),
  groups: fc.uniqueArray(fc.record({ name: word, fields }), {
    maxLength: 4,
    selector: ({ name }) => name.toLowerCase(),
  }),
  links: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom("member", "manager")), { maxLength: 8 }),
  nested: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
  rules: fc.array(fc.tuple(rule, fc.boolean(), fc.nat(), fc.option(text)), { maxLength: 6 }),
});

type Whole = typeof wholeDirectory extends fc.Arbitrary<infer T> ? T : never;

/** The file of a directory, as an export writes it. */
function fileFor({ users, groups, links, nested, rules }: Whole): string {
  const pick = <T>(list: readonly T[], at: number) => list[at % Math.max(list.length, 1)];
  const lines: object[] = users.map(({ email, ...rest }, at) => ({
    type: "user",
    ...rest,
    email: email ? `user${at}@example.test` : null,
  }));
  for (const group of groups) lines.push({ type: "group", ...group });
  const pairs = new Set<string>();
  for (const [one, other] of nested) {
    // From earlier to later groups alone: no circles.
    const [a, b] = [one, other].map((at) => at % Math.max(groups.length, 1)).sort() as [number, number];
    if (a === b || groups[b] === undefined || pairs.has(`${a} ${b}`)) continue;
    pairs.add(`${a} ${b}`);
    lines.push({ type: "subgroup", group: groups[a]?.name, subgroup: groups[b]?.name });
  }
  const seen = new Set<string>();
  for (const [a, b, role] of links) {
    const [member, group] = [pick(users, a), pick(groups, b)];
    if (member === undefined || group === undefined || seen.has(`${member.login} ${group.name}`)) continue;
    seen.add(`${member.login} ${group.name}`);
    lines.push({ type: "membership", group: group.name, user: member.login, role });
  }
  for (const [one, ofGroup, at, note] of rules) {
    const owner = ofGroup ? { group: pick(groups, at)?.name } : { user: pick(users, at)?.login };
    if (Object.values(owner)[0] !== undefined) lines.push({ type: "constraint", owner, ...one, note });
  }
  return fileOf(...lines);
}

describeDirectory("export and import of a directory", (directory) => {
  test("bring every directory into a fresh one as it was", async () => {
    await fc.assert(
      fc.asyncProperty(wholeDirectory, async (whole) => {
        await directory.renew();
        const made = await send(directory, fileFor(whole), "replace");
        expect([made.status, made.text]).toEqual([200, expect.anything()]);
        const first = await exported(directory, "?passwords=true");
        await directory.renew();
        expect((await send(directory, first, "replace")).status).toBe(200);
        expect(content(await exported(directory, "?passwords=true"))).toEqual(content(first));
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test("carry passwords only where that is asked for, by a token that may write", async () => {
    await directory.addUser("ann");
    expect(await exported(directory)).not.toContain("argon2");
    const text = await exported(directory, "?passwords=true");
    expect(text).toContain("$argon2id$");
    const reader = await directory.send("POST", "/api/tokens", { json: { label: "x", scopes: ["read"] } });
    const { token } = reader.json;
    expect((await directory.send("GET", "/api/export", { token })).status).toBe(200);
    expect((await directory.send("GET", "/api/export?passwords=true", { token })).status).toBe(403);
    await directory.renew();
    expect((await send(directory, text, "keep")).json).toMatchObject({ users: 1, kept: 1 });
    const session = await directory.send("POST", "/api/login", { token: null, json: { login: "ann", pass: PASS } });
    expect(session.status).toBe(200);
    const actions = (await directory.send("GET", "/api/audit")).json.map(({ action }: { action: string }) => action);
    expect(actions).toContain("directory.import");
    expect(actions.filter((action: string) => action === "user.create")).toHaveLength(1);
  });

  test("an existing user or group is refused, kept with its constraints, or replaced with them", async () => {
    const ann = await directory.addUser("ann");
    const own = { kind: "images", patterns: ["nginx"] };
    await directory.send("POST", `/api/users/${ann.id}/constraints`, { json: own });
    const constraint = { type: "constraint", owner: { user: "ann" }, kind: "images", patterns: ["redis"] };
    const file = fileOf(
      { type: "user", login: "Ann", email: "other@example.test" },
      { type: "group", name: "web" },
      { type: "membership", group: "web", user: "ann" },
      constraint,
    );
    const refused = await send(directory, file);
    expect([refused.status, refused.json.errors]).toEqual([409, [{ pointer: "/2", detail: "the user Ann exists" }]]);
    const patterns = async () =>
      (await directory.send("GET", `/api/users/${ann.id}/constraints`)).json.map(
        (one: { patterns: unknown }) => one.patterns,
      );
    expect((await send(directory, file, "keep")).json).toEqual({
      users: 0,
      groups: 1,
      subgroups: 0,
      memberships: 1,
      constraints: 0,
      kept: 1,
    });
    expect(await patterns()).toEqual([["docker.io/library/nginx"]]);
    const replaced = await send(directory, file, "replace");
    expect(replaced.json).toMatchObject({ users: 1, groups: 1, constraints: 1, kept: 0 });
    expect(await patterns()).toEqual([["docker.io/library/redis"]]);
    expect((await directory.send("GET", `/api/users/${ann.id}`)).json).toMatchObject({
      login: "Ann",
      email: "other@example.test",
    });
    // What decisions are made of is read again.
    const { json } = await directory.send("GET", `/api/users/${ann.id}/effective-constraints`);
    expect(json.constraints[0].patterns).toEqual(["docker.io/library/redis"]);
  });

  test.each([
    ["", 400, "/1"],
    ['{"type":"user","login":"ann"}\n', 422, "/1/type"],
    [fileOf().replace('"version":1', '"version":2'), 422, "/1/version"],
    [fileOf({ type: "user", login: "ann" }).replace(/\{"type":"end.*/s, ""), 400, "/3"],
    [fileOf({ type: "user", login: "ann" }).replace(/\{"type":"user.*\}\n\{/, "{"), 400, "/2"],
    [fileOf({ type: "group", name: "web" }, { type: "user", login: "ann" }), 400, "/3"],
    [fileOf({ type: "shoe" }), 422, "/2/type"],
    [fileOf({ type: "user", login: "ann", shoe: 44 }), 422, "/2/shoe"],
    [fileOf({ type: "membership", group: "web", user: "ann" }), 422, "/2"],
    [fileOf({ type: "user", login: "ann" }, { type: "user", login: "ANN" }), 409, "/3"],
    [fileOf({ type: "group", name: "web" }, { type: "group", name: "Web" }), 409, "/3"],
    [
      fileOf({ type: "constraint", owner: { user: "admin" }, kind: "shared-quota", resource: "cpu", max: 1 }),
      422,
      "/kind",
    ],
    [fileOf({ type: "constraint", owner: { user: "admin" }, kind: "images", patterns: [7] }), 422, "/2/patterns/0"],
  ])("change nothing where line is wrong: %#", async (file, status, pointer) => {
    const before = content(await exported(directory));
    const answer = await send(directory, file);
    expect([answer.status, answer.json.errors[0]?.pointer ?? answer.json.detail]).toEqual([status, pointer]);
    expect(content(await exported(directory))).toEqual(before);
    expect(directory.faults).toEqual([]);
  });

  test("the last administrator stays", async () => {
    const answer = await send(directory, fileOf({ type: "user", login: "admin", active: false }), "replace");
    expect(answer.status).toBe(409);
  });
});
