import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** Bounds a cruise that hangs. One takes seconds where the machine is idle, and many times that where other suites run too. */
const CRUISE_BOUND_MS = 300_000;

interface Cruise {
  readonly modules: number;
  /** Each import between two folders, as `FROM>TO`; a folder and one inside it are not two. */
  readonly folders: ReadonlySet<string>;
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
}

function folderImports({
  source,
  dependencies,
}: {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}): readonly string[] {
  const from = dirname(source);
  const ours = (path: string) => /^(apps|packages)\/[^/]+\/src\//.test(path);
  if (!ours(source) || /\.(test|testing)\.tsx?$/.test(source)) return [];
  return dependencies
    .filter(({ resolved }) => ours(resolved))
    .map(({ resolved }) => dirname(resolved))
    .filter((to) => to !== from && !to.startsWith(`${from}/`) && !from.startsWith(`${to}/`))
    .map((to) => `${from}>${to}`);
}

/** The pairs of folders that import each other. */
function mutualFolders(folders: ReadonlySet<string>): readonly string[] {
  return [...folders].filter((pair) => {
    const [from = "", to = ""] = pair.split(">");
    return from < to && folders.has(`${to}>${from}`);
  });
}

function cruise(cwd: string): Promise<Cruise> {
  const args = ["--config", join(ROOT, ".dependency-cruiser.cjs"), "--output-type", "json", "packages", "apps"];
  return new Promise((settle, reject) => {
    execFile(join(ROOT, "node_modules/.bin/depcruise"), args, { cwd, maxBuffer: 1 << 28 }, (failure, stdout) => {
      if (stdout === "") return reject(failure);
      const { summary, modules } = JSON.parse(stdout);
      settle({
        folders: new Set(modules.flatMap(folderImports)),
        modules: summary.totalCruised,
        violations: summary.violations.map((violation: { rule: { name: string }; from: string; to: string }) => ({
          rule: violation.rule.name,
          from: violation.from,
          to: violation.to,
        })),
      });
    });
  });
}

test(
  "the cruise sees the modules, and no arrow points the wrong way",
  async () => {
    const { modules, violations, folders } = await cruise(ROOT);
    // It has passed on an empty graph before, where its TypeScript was one that it could not use.
    expect(modules).toBeGreaterThan(40);
    expect(violations).toEqual([]);
    expect(mutualFolders(folders)).toEqual([]);
  },
  CRUISE_BOUND_MS,
);

/** One fault for each rule: the file that holds it, what it imports, and that file's own text where it matters. */
const FAULTS: readonly { rule: string; file: string; imports: string; imported?: string; text?: string }[] = [
  { rule: "packages-are-pure", file: "packages/port-spec/src/reads.ts", imports: "node:fs" },
  {
    rule: "packages-alone",
    file: "packages/port-spec/src/asks.ts",
    imports: "../../directory-domain/src/decide.ts",
    imported: "packages/directory-domain/src/decide.ts",
  },
  {
    rule: "packages-never-apps",
    file: "packages/directory-domain/src/calls.ts",
    imports: "../../../apps/directory/src/app.ts",
    imported: "apps/directory/src/app.ts",
  },
  {
    rule: "apps-apart",
    file: "apps/container/src/borrow.ts",
    imports: "../../directory/src/users.ts",
    imported: "apps/directory/src/users.ts",
  },
  {
    rule: "use-cases-no-io",
    file: "apps/container/src/containers/query.ts",
    imports: "../db/store.ts",
    imported: "apps/container/src/db/store.ts",
  },
  {
    rule: "engine-is-the-ground",
    file: "apps/container/src/engine/stored.ts",
    imports: "../volumes/volumes.ts",
    imported: "apps/container/src/volumes/volumes.ts",
  },
  {
    rule: "only-api-imports-api",
    file: "apps/container/src/images/shown.ts",
    imports: "../api/encode/image-shapes.ts",
    imported: "apps/container/src/api/encode/image-shapes.ts",
  },
  {
    rule: "policy-decides-on-facts",
    file: "apps/container/src/policy/looks-up.ts",
    imports: "../networks/networks.ts",
    imported: "apps/container/src/networks/networks.ts",
  },
  {
    rule: "routes-no-adapters",
    file: "apps/directory/src/routes/rows.ts",
    imports: "../db/user-store.ts",
    imported: "apps/directory/src/db/user-store.ts",
  },
  {
    rule: "adapters-not-each-other",
    file: "apps/container/src/runtimes/docker/lend.ts",
    imports: "../memory/runtime.ts",
    imported: "apps/container/src/runtimes/memory/runtime.ts",
  },
  {
    rule: "main-only-composes",
    file: "apps/container/src/start.ts",
    imports: "./main.ts",
    imported: "apps/container/src/main.ts",
  },
  {
    rule: "testing-only-in-tests",
    file: "apps/container/src/shipped.ts",
    imports: "./fake.testing.ts",
    imported: "apps/container/src/fake.testing.ts",
  },
  {
    rule: "no-circular",
    file: "apps/container/src/hen.ts",
    imports: "./egg.ts",
    imported: "apps/container/src/egg.ts",
    text: 'import "./hen.ts";\n',
  },
];

describe("a planted fault is caught by", () => {
  const tree = mkdtempSync(join(tmpdir(), "berth-boundaries-"));
  let found: Cruise;

  beforeAll(async () => {
    for (const name of ["tsconfig.base.json", "tsconfig.tests.json"]) cpSync(join(ROOT, name), join(tree, name));
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), text);
    };
    for (const { file, imports, imported, text } of FAULTS) {
      write(file, `import "${imports}";\n`);
      if (imported) write(imported, text ?? "export {};\n");
    }
    // No file imports itself back here: only the folders do.
    write("apps/container/src/ports/a.ts", 'import "../volumes/b.ts";\n');
    write("apps/container/src/ports/c.ts", "export {};\n");
    write("apps/container/src/volumes/b.ts", "export {};\n");
    write("apps/container/src/volumes/d.ts", 'import "../ports/c.ts";\n');
    found = await cruise(tree);
  }, CRUISE_BOUND_MS);
  afterAll(() => rmSync(tree, { recursive: true }));

  test.each(FAULTS)("$rule", ({ rule, file, imported }) => {
    // A circle is reported from whichever of its modules was met first.
    const here = found.violations.filter(({ from }) => from === file || from === imported);
    expect(here.map((violation) => violation.rule)).toContain(rule);
  });

  test("two folders that import each other", () => {
    expect(mutualFolders(found.folders)).toContain("apps/container/src/ports>apps/container/src/volumes");
  });

  test("and by no other rule than its own", () => {
    const strays = found.violations.filter(
      ({ rule, from }) => !FAULTS.some((f) => f.rule === rule && (f.file === from || f.imported === from)),
    );
    expect(strays).toEqual([]);
  });
});
