// node bundle.mjs APP: bundles a service: src/main.ts and all that it imports become dist/bundle/main.js and a file for each library;
// dist/bundle/config.js has the rules of its settings. Hundreds of modules take longer to load, and keep their sources and what Node knows
// about each in memory.
import { renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { rolldown } from "rolldown";

/** Native code stays where it is; the folders of other packages are resolved when the service runs. */
const EXTERNAL = [/^node:/, "@node-rs/argon2"];

const app = resolve(process.argv[2]);
const dir = resolve(app, "dist/bundle");
const part = `${dir}.part`;
const bundle = await rolldown({
  input: { main: resolve(app, "src/main.ts"), config: resolve(app, "src/config.ts") },
  platform: "node",
  external: EXTERNAL,
  resolve: { conditionNames: ["@berth/source", "node", "import", "default"] },
  logLevel: "warn",
});
rmSync(part, { recursive: true, force: true });
await bundle.write({
  dir: part,
  format: "esm",
  sourcemap: true,
  // One folder: modules find the package's files relative to their own place. Names without a hash: a running service may import what a later
  // build made.
  chunkFileNames: "[name].js",
  codeSplitting: { groups: [{ debugName: "libraries", test: /node_modules/, name: libraryOf }] },
});
rmSync(dir, { recursive: true, force: true });
renameSync(part, dir);

/** The library that a module belongs to. One file for everything would take three times the memory while it is compiled. @param {string} path */
function libraryOf(path) {
  const [, library] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return library?.replaceAll(/\W+/g, "-").replace(/^-/, "") ?? null;
}
