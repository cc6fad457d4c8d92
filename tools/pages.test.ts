import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConstraint } from "../packages/directory-domain/src/index.ts";

const ROOT = resolve(import.meta.dirname, "..");
const pages = execFileSync("git", ["ls-files", "*.md", ":!packages/*/api/*"], { cwd: ROOT, encoding: "utf8" })
  .trim()
  .split("\n");

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");

  test("links to what there is", () => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) => {
      // `../../security` is a page of the host that shows the repository.
      if (/^[a-z]+:/.test(link) || link.startsWith("../../security/")) return false;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(join(ROOT, target), "utf8")).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test("names files that there are", () => {
    const named = [...text.matchAll(/`((?:apps|packages|conformance|docs|scripts|tools|examples)\/[\w./-]+)`/g)];
    // What the build makes is not there before it.
    const files = named.map(([, path = ""]) => path).filter((path) => !path.includes("/dist") && !path.includes("..."));
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("has only constraints that can be read", () => {
    const constraints = [...text.matchAll(/'(\{"kind":.*?\})'|`(\{"kind":.*?\})`/g)].map(([, a, b]) => a ?? b ?? "");
    for (const one of constraints) {
      const parsed = parseConstraint({ effect: "limit", ...JSON.parse(one) });
      expect(parsed, one).toMatchObject({ ok: true });
    }
  });
});
