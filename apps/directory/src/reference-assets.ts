import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { ReferenceAssets } from "./routes/reference.ts";

/** Reads the page's files from where the package manager put the library. */
export async function readReferenceAssets(): Promise<ReferenceAssets> {
  const { resolve } = createRequire(import.meta.url);
  const read = (name: string) => readFile(resolve(`swagger-ui-dist/${name}`), "utf8");
  return { script: await read("swagger-ui-bundle.js"), style: await read("swagger-ui.css") };
}
