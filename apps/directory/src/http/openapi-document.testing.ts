import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import type { App } from "../app.ts";

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The document with a validator of anything in it, by JSON pointer. */
export interface Documented {
  readonly document: Document;
  readonly validatorAt: (pointer: string) => ValidateFunction;
}

let documented: Promise<Documented> | undefined;

/** Reads the app's document; every app has the same one. */
export function documentOf(app: App): Promise<Documented> {
  documented ??= read(app);
  return documented;
}

async function read(app: App): Promise<Documented> {
  const response = await app.fetch(new Request("http://127.0.0.1/api/openapi.json"));
  const document = (await response.json()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "directory" });
  const known = new Map<string, ValidateFunction>();
  return {
    document,
    validatorAt(pointer) {
      const validate = known.get(pointer) ?? ajv.compile({ $ref: `directory#${pointer}` });
      known.set(pointer, validate);
      return validate;
    },
  };
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Expects an answer to have a status, a media type and a body that the document lists for its operation. */
export async function expectDocumented(app: App, exchange: Exchange): Promise<void> {
  const { document, validatorAt } = await documentOf(app);
  const [pathname = ""] = exchange.path.split("?");
  const method = exchange.method.toLowerCase();
  const path = templateOf(document, pathname, method);
  const operation = path === undefined ? undefined : document.paths[path]?.[method];
  // An unknown path, a method that no operation has, or a fault that the test provoked.
  if (path === undefined || operation === undefined || exchange.status >= 500) return;
  const where = `${exchange.method} ${path} ${exchange.status}`;
  const response = operation.responses[exchange.status];
  expect(response, `${where} is not documented: ${exchange.text.slice(0, 200)}`).toBeDefined();
  if (exchange.text === "") return;
  const type = exchange.headers.get("content-type")?.split(";")[0] ?? "";
  expect(Object.keys(response?.content ?? {}), `${where}: media types`).toContain(type);
  if (!/[/+]json$/.test(type)) return;
  const pointer = ["paths", path, method, "responses", String(exchange.status), "content", type, "schema"];
  const validate = validatorAt(pointerOf(pointer));
  expect(validate(JSON.parse(exchange.text)) || validate.errors, `${where}: ${exchange.text.slice(0, 500)}`).toBe(true);
}

/** The app's answers, each as the document lists it; those of endless streams as they are. */
export function documentedFetch(app: App): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await app.fetch(request);
    const { status, headers } = response;
    if (headers.get("content-type") === "text/event-stream") return response;
    const { pathname } = new URL(request.url);
    const text = await response.clone().text();
    await expectDocumented(app, { method: request.method, path: pathname, status, headers, text });
    return response;
  };
}

export function pointerOf(parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
}

/** The most literal template that a path matches. */
function templateOf({ paths }: Document, pathname: string, method: string): string | undefined {
  const matches = Object.keys(paths).filter(
    (template) =>
      paths[template]?.[method] !== undefined &&
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
  );
  return matches.sort((a, b) => a.split("{").length - b.split("{").length)[0];
}
