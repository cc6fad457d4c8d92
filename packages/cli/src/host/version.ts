import { readFileSync } from "node:fs";

/** This package's version. The file is as far from here as from the bundle. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { readonly version: string };
