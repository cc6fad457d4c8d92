import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";
import { describeDirectory } from "../directory.testing.ts";
import { type Document, documentedFetch, documentOf, pointerOf } from "./openapi-document.testing.ts";

type Part = Readonly<Record<string, unknown>>;

/** Every schema of a property or a parameter, with its JSON pointer and its name. */
function* fieldsOf(value: unknown, pointer: readonly string[] = []): Generator<readonly [readonly string[], Part]> {
  if (typeof value !== "object" || value === null) return;
  const part = value as Part;
  if (!Array.isArray(value)) {
    if (typeof part.properties === "object")
      for (const [name, field] of Object.entries(part.properties as Part))
        yield [[...pointer, "properties", name], field as Part];
    if (typeof part.in === "string" && part.schema !== undefined) yield [pointer, part];
  }
  for (const [key, item] of Object.entries(part)) if (key !== "example") yield* fieldsOf(item, [...pointer, key]);
}

function operationsOf({ paths }: Document) {
  return Object.values(paths).flatMap((path) => Object.values(path));
}

describeDirectory("the OpenAPI document", (directory) => {
  test("is valid OpenAPI 3.1", async () => {
    const { document } = await documentOf(directory.app);
    // The validator takes a property named $ref, as SCIM has it, for a reference.
    const text = JSON.stringify(document).replaceAll('"$ref":{', '"ref":{');
    const result = await new Validator().validate(JSON.parse(text));
    expect(result.errors ?? result.valid).toBe(true);
  });

  test("names every operation once and describes it", async () => {
    const operations = operationsOf((await documentOf(directory.app)).document);
    const ids = operations.map((one) => one.operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter((one) => !one.summary || !one.description || one.tags.length !== 1)).toEqual([]);
  });

  test("describes every property and parameter, with an example that its schema accepts", async () => {
    const { document, validatorAt } = await documentOf(directory.app);
    const faults: unknown[] = [];
    for (const [pointer, field] of fieldsOf(document)) {
      const isReference = field.$ref !== undefined || Array.isArray(field.allOf);
      if (!field.description || (field.example === undefined && !isReference)) faults.push(["undescribed", ...pointer]);
      if (field.example === undefined) continue;
      const validate = validatorAt(pointerOf(field.in === undefined ? pointer : [...pointer, "schema"]));
      // Parameters are texts; their schemas describe what the texts mean.
      const isText = field.in !== undefined && typeof field.example === "string";
      if (!isText && !validate(field.example)) faults.push([...pointer, field.example, validate.errors?.[0]?.message]);
    }
    expect(faults).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["NewConstraint", { kind: "images", patterns: ["*"], note: "why" }],
    ["NewToken", { label: "laptop", scopes: ["read"] }],
    ["SignIn", { login: "ann", pass: "correct horse battery" }],
    ["NewUser", { login: "ann", email: "ann@example.test", externalId: "00u1" }],
    ["NewUser", { login: "ann", email: "ann@example.test", name: null, pass: null }],
    ["NewGroup", { name: "web", externalId: null }],
    ["NewToken", { label: "laptop", scopes: ["read"], expiresAt: null }],
  ])("accepts what the service accepts: %s", async (schema, value) => {
    const validate = (await documentOf(directory.app)).validatorAt(`/components/schemas/${schema}`);
    expect(validate(value) || validate.errors).toBe(true);
  });

  test.each<[string, unknown]>([
    ["NewConstraint", { kind: "images", patterns: ["*"], note: "a\u0007" }],
    ["NewToken", { label: "a\nb", scopes: ["read"] }],
    ["NewUser", { login: "ann", email: "ann@example.test", role: "root" }],
    ["Decision", { bypass: "nobody" }],
  ])("rejects what the service rejects: %s", async (schema, value) => {
    const { validatorAt } = await documentOf(directory.app);
    expect(validatorAt(`/components/schemas/${schema}`)(value)).toBe(false);
  });

  test("lists the statuses, media types and bodies of failures of SCIM", async () => {
    const { paths } = (await documentOf(directory.app)).document;
    for (const [path, operations] of Object.entries(paths).filter(([path]) => path.startsWith("/scim/")))
      for (const [method, { responses }] of Object.entries(operations))
        for (const [status, { content }] of Object.entries(responses).filter(([status]) => status >= "400"))
          expect([path, method, status, Object.keys(content ?? {})]).toEqual([
            path,
            method,
            status,
            ["application/scim+json"],
          ]);
  });
});

/** A program over the generated types: it must compile, and do what it says. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./schema.ts";

export async function run(fetch: (request: Request) => Promise<Response>, token: string): Promise<unknown[]> {
  const client = createClient<paths>({ baseUrl: "http://127.0.0.1", fetch, headers: { authorization: "Bearer " + token } });
  const made = await client.POST("/api/users", { body: { login: "ann", email: "ann@example.test" } });
  const id: number = made.data?.id ?? 0;
  const group = await client.POST("/api/groups", { body: { name: "web" } });
  await client.PUT("/api/groups/{id}/members/{userId}", { params: { path: { id: group.data?.id ?? 0, userId: id } } });
  await client.POST("/api/groups/{id}/constraints", {
    params: { path: { id: group.data?.id ?? 0 } },
    body: { kind: "host-ports", ports: [{ start: 8000, end: 8099 }] },
  });
  const decision = await client.POST("/api/decisions", {
    body: { userId: id, request: { ports: [{ hostPort: { start: 9000, end: 9000 } }] } },
  });
  const missing = await client.GET("/api/users/{id}", { params: { path: { id: 987654 } } });
  // @ts-expect-error a role that there is not
  await client.PATCH("/api/users/{id}", { params: { path: { id } }, body: { role: "root" } });
  const outcome: "allow" | "refuse" | undefined = decision.data?.decision;
  return [made.data?.login, outcome, missing.error?.code];
}
`;

describeDirectory("the console's types", (directory) => {
  // After a change of the API: npx vitest run apps/directory/src/http/openapi-document.test.ts -u
  test("are those of the document", async () => {
    const { document } = await documentOf(directory.app);
    const own = Object.entries(document.paths).filter(([path]) => path.startsWith("/api/"));
    const types = await openapiTS({ ...structuredClone(document), paths: Object.fromEntries(own) } as never, {
      defaultNonNullable: false,
      excludeDeprecated: true,
    });
    await expect(astToString(types)).toMatchFileSnapshot("../../../console/api/directory.d.ts");
  });
});

describeDirectory("a typed client", (directory) => {
  test("is generated, compiles, and works", { timeout: 120_000 }, async () => {
    const { document } = await documentOf(directory.app);
    const folder = fileURLToPath(new URL("../../.cache/typed-client/", import.meta.url));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      `${folder}schema.ts`,
      astToString(await openapiTS(structuredClone(document) as never, { defaultNonNullable: false })),
    );
    writeFileSync(`${folder}program.ts`, PROGRAM);
    const compiler = fileURLToPath(new URL("../../../../node_modules/.bin/tsc", import.meta.url));
    const options = "--noEmit --strict --skipLibCheck --module nodenext --target es2023 --allowImportingTsExtensions";
    const compiled = spawnSync(compiler, [...options.split(" "), "--ignoreConfig", `${folder}program.ts`], {
      encoding: "utf8",
    });
    expect(compiled.stdout + compiled.stderr).toBe("");
    const { run } = await import(/* @vite-ignore */ pathToFileURL(`${folder}program.ts`).href);
    const fetch = documentedFetch(directory.app);
    expect(await run(fetch, directory.admin)).toEqual(["ann", "refuse", "not-found"]);
    rmSync(folder, { recursive: true, force: true });
  });
});
