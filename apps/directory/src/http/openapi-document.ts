import type { OpenAPIHono } from "@hono/zod-openapi";
import { FIELD_DOCS } from "./field-docs.ts";

const INFO = {
  openapi: "3.1.0",
  info: {
    title: "Berth directory",
    version: "1",
    description: "Users, groups, constraints and decisions.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "/", description: "This directory." }],
} as const;

/** A part of the document; its shape is known by its keys alone. */
type Part = Record<string, unknown>;

/** Builds the OpenAPI document of all registered endpoints. */
export function openApiDocument(app: OpenAPIHono): object {
  const document = app.getOpenAPI31Document(INFO as never);
  visit(document, finish);
  return document;
}

/** Corrects what the generator gets wrong, and describes fields from the table of their meanings. */
function finish(part: Part): void {
  // The generator keeps the delimiter and flags of a regular expression.
  if (typeof part.pattern === "string") part.pattern = part.pattern.replace(/\/[a-z]+$/, "");
  // It leaves null out of the values of a nullable enumeration.
  if (Array.isArray(part.enum) && typesOf(part).includes("null") && !part.enum.includes(null))
    part.enum = [...part.enum, null];
  if (isPart(part.properties))
    for (const [name, field] of Object.entries(part.properties)) if (isPart(field)) describe(name, field, field);
  if (typeof part.in === "string" && isPart(part.schema)) {
    for (const key of ["description", "example"]) {
      part[key] ??= part.schema[key];
      delete part.schema[key];
    }
    describe(String(part.name), part, part.schema);
  }
}

/** Adds what `target`, a property or a parameter of this schema, lacks. */
function describe(name: string, target: Part, schema: Part): void {
  const docs = FIELD_DOCS[name];
  if (docs === undefined) return;
  target.description ??= docs.description;
  if (target.example !== undefined) return;
  const values = [...docs.examples, ...(Array.isArray(schema.enum) ? schema.enum : [])];
  const [example] = values.filter((value) => isOf(value, schema));
  if (example !== undefined) target.example = example;
}

function isOf(example: unknown, schema: Part): boolean {
  if (Array.isArray(schema.enum) && !schema.enum.includes(example)) return false;
  const types = typesOf(schema);
  return (
    types.length === 0 || types.includes(typeOf(example)) || (typeof example === "number" && types.includes("number"))
  );
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

function typesOf({ type }: Part): readonly unknown[] {
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

function visit(value: unknown, work: (part: Part) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, work);
  if (!isPart(value)) return;
  work(value);
  for (const [key, item] of Object.entries(value)) if (key !== "example") visit(item, work);
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
