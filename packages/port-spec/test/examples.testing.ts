import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as main from "../src/index.ts";
import * as json from "../src/json/index.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const TSC = createRequire(import.meta.url)
  .resolve("typescript/package.json")
  .replace("package.json", "bin/tsc");
const NAMES = { ...main, ...json };

/** The README as text. */
export const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");

/** The examples of the README and of the docstrings, in order. */
export function examples(): readonly string[] {
  const sources = readdirSync(join(PACKAGE, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test|\.testing)\.ts$/.test(file))
    .map((file) => readFileSync(join(PACKAGE, "src", file), "utf8").replace(/^ \* ?/gm, ""));
  return [readme, ...sources.map(withImports)].flatMap(codeBlocks);
}

/**
 * Compiles the examples under `strict`, then runs them.
 *
 * @returns for each example the values of its `// =>` comments, beside the values of the code before them.
 */
export function runExamples(codes: readonly string[]): readonly (readonly (readonly [unknown, unknown])[])[] {
  const folder = mkdtempSync(join(tmpdir(), "port-spec-examples-"));
  try {
    codes.forEach((code, index) => {
      writeFileSync(join(folder, `${index}.mts`), checked(code));
    });
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(compilerSettings()));
    execFileSync(process.execPath, [TSC, "-p", folder], { stdio: ["ignore", "inherit", "inherit"] });
    return codes.map((_, index) => run(readFileSync(join(folder, "out", folder, `${index}.mjs`), "utf8")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function codeBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
}

/** A docstring's examples use the package without imports; this adds them to each. */
function withImports(source: string): string {
  return source.replace(/```ts\n(.*?)```/gs, (_, code: string) => {
    const used = (names: object) => Object.keys(names).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    return `\`\`\`ts
import { ${used(main).join(", ")} } from "@berth/port-spec";
import { ${used(json).join(", ")} } from "@berth/port-spec/json";
${code}\`\`\``;
  });
}

/** Replaces `console.log(x); // => y` and `x; // => y` by a call that compares both. */
function checked(code: string): string {
  const calls = code
    .replace(/console\.log\((.+)\);\s*\/\/ => (.+)$/gm, "expectEqual($1, $2);")
    .replace(/^(.+);\s*\/\/ => (.+)$/gm, "expectEqual($1, $2);");
  return `declare function expectEqual(actual: unknown, expected: unknown): void;\n${calls}\nexport {};\n`;
}

function compilerSettings() {
  return {
    extends: join(PACKAGE, "../../tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      declaration: false,
      declarationMap: false,
      sourceMap: false,
      rootDir: "/",
      outDir: "out",
      lib: ["ES2023", "DOM"],
      paths: {
        "@berth/port-spec": [join(PACKAGE, "src/index.ts")],
        "@berth/port-spec/json": [join(PACKAGE, "src/json/index.ts")],
      },
    },
    include: ["*.mts"],
  };
}

function run(script: string): readonly (readonly [unknown, unknown])[] {
  const pairs: (readonly [unknown, unknown])[] = [];
  const body = script.replace(/^(import .*|export \{\};)$/gm, "");
  const expectEqual = (actual: unknown, expected: unknown) => pairs.push([actual, expected]);
  new Function("expectEqual", ...Object.keys(NAMES), body)(expectEqual, ...Object.values(NAMES));
  return pairs;
}
