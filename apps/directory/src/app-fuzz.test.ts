import fc from "fast-check";
import { expect, test } from "vitest";
import { TOKEN_SCOPES } from "./accounts/records.ts";
import { issueToken } from "./accounts/tokens.ts";
import { describeDirectory, type TestDirectory } from "./directory.testing.ts";

/*
 * Requests are made from the published document: mostly what a schema allows, now and then anything else in any place of
 * it. Whatever comes, the answer is one that the document names, and never a fault of ours.
 */
// biome-ignore lint/suspicious/noExplicitAny: a document of JSON Schema, whose shape is what is walked.
type Schema = any;

// More of them by hand: FUZZ_RUNS=500 npx vitest run apps/directory/src/app-fuzz.test.ts
const RUNS = Number(process.env.FUZZ_RUNS ?? 12);
const strings = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom(
    "",
    "\0",
    "ann",
    "admin@localhost",
    "a@b",
    "' or 1=1",
    "*",
    "x".repeat(300),
    "٣",
    "🐎",
    "../..",
    "2030-01-01T00:00:00Z",
    "0",
    "-1",
  ),
);

function anyOf(schema: Schema, document: Schema, depth: number): fc.Arbitrary<unknown> {
  const valid = validOf(schema, document, depth);
  return depth > 4
    ? valid
    : fc.oneof({ weight: 12, arbitrary: valid }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}

function validOf(given: Schema, document: Schema, depth: number): fc.Arbitrary<unknown> {
  const schema = resolved(given, document);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return fc.oneof(...choices.map((one: Schema) => anyOf(one, document, depth + 1)));
  if (schema.allOf)
    return fc
      .tuple(...schema.allOf.map((one: Schema) => validOf(one, document, depth)))
      .map((parts) => Object.assign({}, ...parts));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type: string | undefined) => ofType(type, schema, document, depth)));
}

function ofType(type: string | undefined, schema: Schema, document: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return strings;
    case "integer":
    case "number":
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 10, (schema.minimum ?? 0) + 9) }),
        fc.constantFrom(schema.maximum ?? 1, 0, -1, 0.5),
      );
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(anyOf(schema.items ?? {}, document, depth + 1), { maxLength: 3 });
    case "object": {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([key, one]) => [key, anyOf(one, document, depth + 1)] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
    }
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function resolved(schema: Schema, document: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : resolved(document.components.schemas[name], document);
}

const ids = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }).map(String) },
  { weight: 1, arbitrary: strings },
);

function requestFor(path: string, operation: Schema, document: Schema) {
  const parameters: Schema[] = operation.parameters ?? [];
  const inQuery = parameters.filter((one) => one.in === "query");
  const content = Object.entries(operation.requestBody?.content ?? {}) as [string, Schema][];
  return fc.record({
    path: fc.tuple(...[...path.matchAll(/\{\w+\}/g)].map(() => ids)).map((values) => {
      let next = 0;
      return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[next++] ?? ""));
    }),
    query: fc.record(
      Object.fromEntries(
        inQuery.map((one) => [
          one.name,
          anyOf(one.schema, document, 3).map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
        ]),
      ),
      {
        requiredKeys: [],
      },
    ),
    body:
      content.length === 0
        ? fc.constant(undefined)
        : fc
            .constantFrom(...content)
            .chain(([type, { schema }]) => anyOf(schema, document, 0).map((value) => ({ type, value }))),
    ifMatch: fc.constantFrom(undefined, "*", '"1"', 'W/"1"', "nonsense"),
    idempotencyKey: fc.constantFrom(undefined, "k1", "k2"),
  });
}

/** Two users, a group with a member, a constraint; ids 1 to 4 name some of each. */
async function furnish({ addUser, addGroup, send }: TestDirectory): Promise<void> {
  const ann = await addUser("ann");
  await addUser("bob", { pass: null });
  const group = await addGroup("ops", [ann.id]);
  await send("POST", `/api/groups/${group}/constraints`, { json: { kind: "images", patterns: ["*"] } });
}

/** A fresh administrator for each request: the last one may have removed itself. */
async function administrator(directory: TestDirectory): Promise<string> {
  return directory.deps.records.change(null, async (stores) => {
    const login = `root${Math.random().toString(36).slice(2)}`;
    const fields = {
      login,
      email: `${login}@example.test`,
      name: null,
      role: "admin",
      active: true,
      externalId: null,
      passHash: null,
    } as const;
    const user = await stores.users.create(fields);
    return (await issueToken(stores, { userId: user.id, label: "fuzz", scopes: TOKEN_SCOPES, expiresAt: null })).token;
  });
}

describeDirectory("fuzz", (directory) => {
  test(
    "every answer has a status that the document lists",
    async () => {
      const document: Schema = (await directory.send("GET", "/api/openapi.json", { token: null })).json;
      const operations = Object.entries(document.paths as Schema).flatMap(([path, item]) =>
        Object.entries(item as Schema).map(([method, operation]) => [path, method, operation] as const),
      );
      expect(operations.length).toBe(directory.app.endpoints.length);
      await furnish(directory);
      const seen = new Set<number>();
      for (const [path, method, operation] of operations) {
        await fc.assert(
          fc.asyncProperty(requestFor(path, operation, document), async (request) => {
            const headers: Record<string, string> = {};
            if (request.body) headers["content-type"] = request.body.type;
            if (request.ifMatch) headers["if-match"] = request.ifMatch;
            if (request.idempotencyKey) headers["idempotency-key"] = request.idempotencyKey;
            const body =
              request.body &&
              (typeof request.body.value === "string" ? request.body.value : JSON.stringify(request.body.value));
            const answer = await directory.send(
              method.toUpperCase(),
              `${request.path}?${new URLSearchParams(request.query as Record<string, string>)}`,
              {
                token: await administrator(directory),
                headers,
                ...(body === undefined ? {} : { body }),
              },
            );
            seen.add(answer.status);
            expect(directory.faults).toEqual([]);
            const documented = Object.keys((operation as Schema).responses).map(Number);
            expect(documented, `${method} ${request.path} answers ${answer.text}`).toContain(answer.status);
            if (answer.status >= 400)
              expect(answer.headers.get("content-type")).toMatch(/^application\/(?:problem|scim)\+json$/);
          }),
          { numRuns: RUNS },
        );
      }
      // It got through to what endpoints do, and not to their checks alone.
      for (const status of [200, 201, 204, 400, 404, 422]) expect(seen).toContain(status);
    },
    RUNS * 25_000,
  );

  test("the root leads to the reference page", async () => {
    const root = await directory.send("GET", "/", { token: null });
    expect([root.status, root.headers.get("location")]).toEqual([302, "/api/reference"]);
  });

  test("the reference page loads nothing from elsewhere", async () => {
    const page = await directory.send("GET", "/api/reference", { token: null });
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const needed = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(needed).toHaveLength(3);
    for (const path of needed) expect((await directory.send("GET", `/api/${path}`, { token: null })).status).toBe(200);
  });
});
