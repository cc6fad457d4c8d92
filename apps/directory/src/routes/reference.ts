import type { OpenAPIHono } from "@hono/zod-openapi";
import { JSON_TYPE } from "../http/endpoint.ts";
import { openApiDocument } from "../http/openapi-document.ts";
import { SESSION_COOKIE } from "../http/session-cookie.ts";
import { PASS_LINK_PAGE, PASS_LINK_SCRIPT } from "./pages/pass-link.ts";
import { PAGE, START } from "./pages/reference.ts";

/** Reads the page's script and style, from the installed library, so that it works offline. They are too large to be kept. */
export interface ReferenceAssets {
  script(): Promise<Uint8Array<ArrayBuffer>>;
  style(): Promise<Uint8Array<ArrayBuffer>>;
}

// Loads and sends nothing elsewhere. The library sets inline styles.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Serves the OpenAPI document at /api/openapi.json and a page to read it at /api/reference. */
export function referenceRoutes(app: OpenAPIHono, assets: ReferenceAssets): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: "For browsers: set by POST /api/login with `cookie`, and accepted from pages of this origin.",
  });
  let document: string | undefined;
  app.get("/api/openapi.json", (c) => {
    document ??= JSON.stringify(openApiDocument(app));
    return c.body(document, 200, { "content-type": JSON_TYPE });
  });
  const files = [
    ["/api/reference", "text/html; charset=utf-8", () => PAGE],
    ["/api/reference/script.js", "text/javascript; charset=utf-8", assets.script],
    ["/api/reference/style.css", "text/css; charset=utf-8", assets.style],
    ["/api/reference/start.js", "text/javascript; charset=utf-8", () => START],
    ["/api/set-pass", "text/html; charset=utf-8", () => PASS_LINK_PAGE],
    ["/api/set-pass/script.js", "text/javascript; charset=utf-8", () => PASS_LINK_SCRIPT],
  ] as const;
  for (const [path, type, read] of files)
    app.get(path, async (c) =>
      c.body(await read(), 200, {
        "content-type": type,
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
      }),
    );
}
