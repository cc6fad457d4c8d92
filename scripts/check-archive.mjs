// node check-archive.mjs ARCHIVE: prints what is wrong with a packed npm package, and ends badly where something is.
import { execFileSync } from "node:child_process";

const [archive = ""] = process.argv.slice(2);
const files = new Set(
  execFileSync("tar", ["-tzf", archive], { encoding: "utf8" })
    .split("\n")
    .map((path) => path.replace(/^package\//, "./")),
);
const manifest = JSON.parse(execFileSync("tar", ["-xzOf", archive, "package/package.json"], { encoding: "utf8" }));

const wrong = [
  ...targetsOf({ exports: manifest.exports, bin: manifest.bin })
    .filter((path) => !files.has(path))
    .map((path) => `package.json names ${path}, which is not packed`),
  ...Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
    .filter(([, version]) => /^(workspace|catalog):/.test(version))
    .map(([name, version]) => `it depends on ${name} ${version}, which means nothing outside of this repository`),
  ...["README.md", "package.json"].filter((name) => !files.has(`./${name}`)).map((name) => `${name} is missing`),
];
for (const one of wrong) console.log(`  ${one}`);
process.exitCode = wrong.length === 0 ? 0 : 1;

/** @param {unknown} value @returns {string[]} every path in it */
function targetsOf(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(targetsOf) : [];
}
