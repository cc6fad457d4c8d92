import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { ReferenceAssets } from "./routes/reference.ts";

const require = createRequire(import.meta.url);

/** The reference page's script and style, from the installed swagger-ui package. */
export const REFERENCE_ASSETS: ReferenceAssets = {
  script: () => readFile(require.resolve("swagger-ui-dist/swagger-ui-bundle.js")),
  style: () => readFile(require.resolve("swagger-ui-dist/swagger-ui.css")),
};
