import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

// What a test needs more than Node for: programs of the machine, most of which want root, and databases that take seconds.
const NEEDS_THE_MACHINE = /^(node:child_process|postgres|@grpc\/grpc-js)$/;

/**
 * The test files that need neither root nor a program of the machine, so that anyone can run them at once.
 * It follows imports of files and not of packages: what a package offers, a test need not use.
 * @param files test files, absolute
 */
export function unitSuites(files: readonly string[]): readonly string[] {
  const imports = new Map<string, readonly string[]>();
  return files.filter((file) => {
    const reached = new Set([file]);
    for (const one of reached) {
      if (NEEDS_THE_MACHINE.test(one)) return false;
      if (!one.startsWith("/")) continue;
      const found = imports.get(one) ?? importsOf(one);
      imports.set(one, found);
      for (const next of found) reached.add(next);
    }
    return true;
  });
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  // Types are gone at run time.
  return [...text.matchAll(/^(?!import type|export type).*?(?:from|import\(?) ?"([^"]+)"/gm)].flatMap(
    ([, name = ""]) => {
      if (!name.startsWith(".")) return [name];
      const path = resolve(join(dirname(file), name));
      return /\.(ts|mjs)$/.test(path) ? [path] : [];
    },
  );
}
