import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { ReferenceAssets } from "./routes/reference.ts";

const require = createRequire(import.meta.url);

/** Reads the reference page's script and style from the installed swagger-ui package. */
export async function readReferenceAssets(): Promise<ReferenceAssets> {
  const [script, style] = await Promise.all([
    readFile(require.resolve("swagger-ui-dist/swagger-ui-bundle.js"), "utf8"),
    readFile(require.resolve("swagger-ui-dist/swagger-ui.css"), "utf8"),
  ]);
  return { script, style };
}
