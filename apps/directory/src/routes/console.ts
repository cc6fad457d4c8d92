import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { isKnown } from "../http/etag.ts";

/** A file of the web console, as it is and compressed by gzip. */
export interface ConsoleFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** The web console's files by their paths, `/index.html` among them. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** The addresses of the console's pages, which are all the same file. */
export const CONSOLE_PAGES = [
  "/",
  "/ports",
  "/users",
  "/users/:id",
  "/groups",
  "/groups/:id",
  "/explain",
  "/activity",
  "/account",
  "/device",
] as const;

// Loads and sends nothing elsewhere, and runs nothing inline.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  vary: "accept-encoding",
};

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Serves the web console at `/` and its pages' addresses; without its files, `/` leads to the API's reference. */
export function consoleRoutes(app: OpenAPIHono, files: ConsoleFiles | undefined): void {
  const index = files?.get("/index.html");
  if (files === undefined || index === undefined) {
    // What npm start prints is opened in a browser.
    app.get("/", (c) => c.redirect("/api/reference"));
    return;
  }
  for (const page of CONSOLE_PAGES) app.get(page, (c) => fileAnswer(c, index, "/index.html"));
  for (const [path, file] of files) if (file !== index) app.get(path, (c) => fileAnswer(c, file, path));
}

function fileAnswer(c: Context, { content, compressed, etag }: ConsoleFile, path: string): Response {
  // Names of assets have a digest of their content; the page names today's assets.
  const cacheControl = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  const headers = { ...HEADERS, "cache-control": cacheControl, etag };
  if (isKnown(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  const isCompressed = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
  return c.body(isCompressed ? compressed : content, 200, {
    ...headers,
    "content-type": type,
    ...(isCompressed ? { "content-encoding": "gzip" } : {}),
  });
}
