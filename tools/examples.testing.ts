import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const TSC = createRequire(import.meta.url)
  .resolve("typescript/package.json")
  .replace("package.json", "bin/tsc");
const PACKAGES = ["port-spec", "directory-domain", "directory-client"];

/** The TypeScript examples of a package's README, in order. */
export function readmeExamples(name: string): readonly string[] {
  const readme = readFileSync(join(ROOT, "packages", name, "README.md"), "utf8");
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
}

/**
 * Compiles examples under `strict` against the sources of the packages; throws with the compiler's words when one does not compile.
 * @returns each example as JavaScript, with a call `expectEqual(value, expected)` for each `value; // => expected`.
 */
export function compileExamples(codes: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "berth-examples-"));
  try {
    codes.forEach((code, index) => {
      const checked = code.replace(/^(.+);\s*\/\/ => (.+)$/gm, "expectEqual($1, $2);");
      const declared = "declare function expectEqual(actual: unknown, expected: unknown): void;\n";
      writeFileSync(join(folder, `${index}.mts`), `${declared}${checked}\nexport {};\n`);
    });
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(compilerSettings()));
    execFileSync(process.execPath, [TSC, "-p", folder], { stdio: ["ignore", "inherit", "inherit"] });
    return codes.map((_, index) => readFileSync(join(folder, "out", folder, `${index}.mjs`), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compilerSettings(): object {
  return {
    extends: join(ROOT, "tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      declaration: false,
      declarationMap: false,
      sourceMap: false,
      rootDir: "/",
      outDir: "out",
      lib: ["ES2023", "DOM"],
      types: [join(ROOT, "node_modules/@types/node")],
      paths: Object.fromEntries(
        PACKAGES.map((name) => [`@berth/${name}`, [join(ROOT, "packages", name, "src/index.ts")]]),
      ),
    },
    include: ["*.mts"],
  };
}
