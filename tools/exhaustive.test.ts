import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// What the directory can constrain, the container service has to enforce: a kind, a resource or a privilege that nobody enforces must
// not compile. Each is added to a copy of the domain here, and the compiler is asked what is missing.

const ROOT = resolve(import.meta.dirname, "..");
const FOLDER = (() => {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  return mkdtempSync(join(ROOT, ".cache/exhaustive-"));
})();
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** The additions: file of the domain, what stands there, and what stands there then. */
const ADDITIONS = [
  ["constraint.ts", '"cpu", "pids"] as const', '"cpu", "pids", "gpus"] as const'],
  ["constraint.ts", '"networks", "storage"] as const', '"networks", "storage", "bandwidth"] as const'],
  ["constraint.ts", '  "runtime",\n', '  "runtime",\n  "levitate",\n'],
  ["constraint.ts", '  "subnets",\n', '  "subnets",\n  "weather",\n'],
  [
    "constraint.ts",
    '  | { readonly kind: "subnets"',
    '  | { readonly kind: "weather"; readonly skies: readonly string[] }\n  | { readonly kind: "subnets"',
  ],
  [
    "request.ts",
    "  readonly networks?: readonly string[];\n",
    "  readonly networks?: readonly string[];\n  readonly clouds?: readonly string[];\n",
  ],
] as const;

interface Fault {
  readonly file: string;
  readonly message: string;
}

/** What the compiler says of those who use the domain, and of the domain itself, as it is or with the additions. */
function compile(
  name: string,
  additions: readonly (readonly [file: string, from: string, to: string])[],
): readonly Fault[] {
  const folder = join(FOLDER, name);
  const isSource = (path: string) => !/\.(test|testing)\.ts$/.test(path);
  cpSync(join(ROOT, "packages/directory-domain/src"), join(folder, "domain"), { recursive: true, filter: isSource });
  for (const [file, from, to] of additions) {
    const path = join(folder, "domain", file);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
  }
  const users = ["apps/container/src/policy", "apps/directory/src/http/schemas", "packages/cli/src/docker"];
  const configuration = {
    extends: "../../../tsconfig.tests.json",
    compilerOptions: {
      paths: {
        "@berth/directory-domain": ["./domain/index.ts"],
        "@berth/port-spec": ["../../../packages/port-spec/src/index.ts"],
      },
    },
    include: ["domain", ...users.map((one) => `../../../${one}`)],
    exclude: ["../../../**/*.test.ts", "../../../**/*.testing.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  const compiled = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], { cwd: ROOT, encoding: "utf8" });
  return [...compiled.stdout.matchAll(/^(\S+?)\(\d+,\d+\): error ([\s\S]*?)(?=^\S|$(?![\s\S]))/gm)].map(
    ([, file = "", message = ""]) => ({ file: file.replace(/^\.cache\/exhaustive-\w+\/\w+\//, ""), message }),
  );
}

describe("does not compile until it is enforced", () => {
  let faults: readonly Fault[] = [];
  beforeAll(() => {
    expect(compile("unchanged", [])).toEqual([]);
    faults = compile("extended", ADDITIONS);
  }, 600_000);

  const FACTS = ["apps/container/src/policy/facts.ts", "packages/cli/src/docker/facts.ts"];
  test.each([
    [
      "a resource: its text, what a container takes of it, and what others hold",
      "bandwidth",
      ["domain/resource.ts", "apps/container/src/policy/facts.ts"],
    ],
    ["a resource that groups share", "gpus", ["domain/resource.ts", "apps/container/src/policy/facts.ts"]],
    ["a privilege: the field of a create that asks for it", "levitate", FACTS],
    [
      "a kind: its check and its warnings, and its form on the wire",
      "weather",
      ["apps/directory/src/http/schemas/constraint.ts", "domain/decide.ts", "domain/warnings.ts"],
    ],
    ["what a request can name: the container service says what its containers ask of it", "clouds", FACTS],
  ])("%s", (_title, name, files) => {
    const naming = faults.filter(({ message }) => message.includes(name)).map(({ file }) => file);
    expect(naming).toEqual(expect.arrayContaining(files));
  });

  test("the reader of a kind", () => {
    expect(faults.map(({ file }) => file)).toContain("domain/parse-constraint.ts");
  });
});
