// node bundle.mjs FOLDER: bundles a service, or the command: src/main.ts and all that it imports become dist/bundle/main.js and a file for each
// library; a service's dist/bundle/config.js has the rules of its settings, and dist/bundle/licenses.txt the licences of the libraries. Hundreds of modules take
// longer to load, and keep their sources and what Node knows about each in memory.
// A service's `dependencies` stay outside, since they have files that are no modules; its `devDependencies` are bundled. What is published
// names its libraries as dependencies, for npm.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { rolldown } from "rolldown";

const app = resolve(process.argv[2]);
const { dependencies = {}, private: isService = false } = JSON.parse(
  readFileSync(resolve(app, "package.json"), "utf8"),
);
const entries = ["main", "config"].map((name) => [name, resolve(app, `src/${name}.ts`)]);
const dir = resolve(app, "dist/bundle");
const part = `${dir}.part`;
const bundle = await rolldown({
  input: Object.fromEntries(entries.filter(([, path]) => existsSync(path))),
  platform: "node",
  external: [/^node:/, ...(isService ? Object.keys(dependencies) : [])],
  resolve: { conditionNames: ["@berth/source", "node", "import", "default"] },
  logLevel: "warn",
});
rmSync(part, { recursive: true, force: true });
const { output } = await bundle.write({
  dir: part,
  format: "esm",
  sourcemap: true,
  // One folder: modules find the package's files relative to their own place. Names without a hash: a running service may import what a later
  // build made.
  chunkFileNames: "[name].js",
  codeSplitting: { groups: [{ debugName: "libraries", test: /node_modules/, name: libraryOf }] },
});
writeFileSync(
  `${part}/licenses.txt`,
  licensesOf(output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))),
);
rmSync(dir, { recursive: true, force: true });
renameSync(part, dir);

/** The library that a module belongs to. One file for everything would take three times the memory while it is compiled. @param {string} path */
function libraryOf(path) {
  const [, library] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return library?.replaceAll(/\W+/g, "-").replace(/^-/, "") ?? null;
}

/** The licences that go with the modules' libraries: each text once, below the libraries that have it. @param {string[]} modules */
function licensesOf(modules) {
  const folders = new Set(modules.flatMap((path) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  /** @type {Map<string, string[]>} */
  const libraries = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const text = files.map((file) => readFileSync(`${folder}/${file}`, "utf8").trim()).join("\n\n");
    libraries.set(text, [...(libraries.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...libraries].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`).join(`\n${"-".repeat(80)}\n`);
}
