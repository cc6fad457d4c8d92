import { execFile, execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

// What people type before they have read anything.

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "berth-newcomer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; output: string }>((settle) => {
    execFile(command, args, { cwd: folder, env }, (failure, stdout, stderr) =>
      settle({ code: failure === null ? 0 : Number(failure.code ?? 1), output: stdout + stderr }),
    );
  });
}

test("npm install ends by naming the right command", async () => {
  copyFileSync(join(ROOT, "package.json"), join(folder, "package.json"));
  const { code, output } = await run("npm", ["install", "--offline"], {
    ...process.env,
    // That of `npm test --silent` would pass on.
    npm_config_loglevel: "error",
  });
  expect(output).toContain("use-npm-run-setup-instead");
  expect(code).toBe(1);
});

describe("Node 18 is refused in the first line", () => {
  writeFileSync(join(folder, "node"), "#!/bin/sh\necho v18.20.4\n");
  chmodSync(join(folder, "node"), 0o755);

  test.each(["start", "stop", "setup", "test"])("npm run %s", async (command) => {
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, BERTH_CONF: "/dev/null" };
    const { code, output } = await run("bash", [join(ROOT, `scripts/${command}.sh`)], env);
    expect(output).toBe(
      "berth: Node 20 or later is needed, and this is v18.20.4. With npm alone: npx --yes --package node@22 -- npm start\n",
    );
    expect(code).toBe(1);
  });
});

test("a clone may have a path with a space: no path is read off a URL, where it would be %20", () => {
  const sources = execFileSync("git", ["ls-files", "*.ts", "*.mjs", "*.cjs"], { cwd: ROOT, encoding: "utf8" });
  const wrong = sources
    .trim()
    .split("\n")
    .filter((file) => /import\.meta\.url\)\.pathname/.test(readFileSync(join(ROOT, file), "utf8")));
  expect(wrong).toEqual([]);
});
