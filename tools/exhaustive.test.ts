import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

// What the directory can constrain, the container service has to enforce: a kind, a resource or a privilege that nobody enforces must
// not compile. Each is added to a copy of the domain here, and the compiler is asked what is missing.

const ROOT = resolve(import.meta.dirname, "..");
const DOMAIN = "packages/directory-domain/src";

/** The files in which the compiler finds faults once `from` reads `to` in a file of the domain. */
function faultyFiles(file: string, from: string, to: string): readonly string[] {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".cache/exhaustive-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const isSource = (path: string) => !/\.(test|testing)\.ts$/.test(path);
  cpSync(join(ROOT, DOMAIN), join(folder, "domain"), { recursive: true, filter: isSource });
  const path = join(folder, "domain", file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
  const users = ["apps/container/src/policy", "apps/directory/src/http/schemas", "packages/cli/src/docker"];
  const configuration = {
    extends: "../../tsconfig.tests.json",
    compilerOptions: {
      paths: {
        "@berth/directory-domain": ["./domain/index.ts"],
        "@berth/port-spec": ["../../packages/port-spec/src/index.ts"],
      },
    },
    include: ["domain", ...users.map((one) => `../../${one}`)],
    exclude: ["../../**/*.test.ts", "../../**/*.testing.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  const compiled = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], { cwd: ROOT, encoding: "utf8" });
  const faults = [...compiled.stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, where = ""]) => where);
  const shown = faults.map((where) => where.replace(/^\.cache\/exhaustive-\w+\//, ""));
  return [...new Set(shown)].sort();
}

describe("does not compile until it is enforced", { timeout: 120_000 }, () => {
  test("the copy itself compiles", () => {
    expect(faultyFiles("constraint.ts", "const KINDS", "const KINDS")).toEqual([]);
  });

  test.each([
    ["resource", '"networks", "storage"] as const', '"networks", "storage", "bandwidth"] as const'],
    ["shared resource", '"cpu", "pids"] as const', '"cpu", "pids", "gpus"] as const'],
  ])("a %s: its text, what a container takes of it, and what others hold", (_name, from, to) => {
    const files = faultyFiles("constraint.ts", from, to);
    expect(files).toEqual(expect.arrayContaining(["apps/container/src/policy/facts.ts", "domain/resource.ts"]));
    expect(files).toContain("packages/cli/src/docker/facts.ts");
  });

  test("a kind: its reader, its check, its warnings and its form on the wire", () => {
    const rule = '  | { readonly kind: "weather"; readonly skies: readonly string[] }\n  | { readonly kind: "subnets"';
    const files = faultyFiles("constraint.ts", '  | { readonly kind: "subnets"', rule);
    expect(files).toEqual(
      expect.arrayContaining(["apps/directory/src/http/schemas/constraint.ts", "domain/parse-constraint.ts"]),
    );
    const listed = faultyFiles("constraint.ts", '  "subnets",\n', '  "subnets",\n  "weather",\n');
    expect(listed).toEqual(
      expect.arrayContaining([
        "apps/directory/src/http/schemas/constraint.ts",
        "domain/decide.ts",
        "domain/warnings.ts",
      ]),
    );
  });

  test("something new that a request can ask for: the container service has to say what its containers ask", () => {
    const files = faultyFiles(
      "request.ts",
      "  readonly networks?: readonly string[];",
      "  readonly networks?: readonly string[];\n  readonly skies?: readonly string[];",
    );
    expect(files).toContain("apps/container/src/policy/facts.ts");
    expect(files).toContain("packages/cli/src/docker/facts.ts");
  });

  test("a privilege: the field of a create that asks for it", () => {
    const files = faultyFiles("constraint.ts", '  "runtime",\n', '  "runtime",\n  "levitate",\n');
    expect(files).toContain("apps/container/src/policy/facts.ts");
    expect(files).toContain("packages/cli/src/docker/facts.ts");
  });
});
