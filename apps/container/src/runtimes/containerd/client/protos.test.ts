import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";

const MEMBER = resolve(import.meta.dirname, "../../../..");
const folder = mkdtempSync(join(tmpdir(), "berth-proto-types-"));
afterAll(() => rmSync(folder, { recursive: true }));

function filesIn(root: string): Readonly<Record<string, string>> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(root.length), readFileSync(path, "utf8")];
    }),
  );
}

it("protos/types is what `npm run proto-types` generates from the protos", () => {
  const out = join(folder, "types");
  execFileSync("bash", [join(MEMBER, "scripts/proto-types.sh"), out]);
  expect(filesIn(join(MEMBER, "protos/types"))).toEqual(filesIn(out));
}, 60_000);
