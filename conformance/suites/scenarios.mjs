// Berth's own scenarios with real clients: the same files that the tests run, against whichever engine.
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { inside } from "./inside.mjs";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * @param {import("./inside.mjs").Engine} engine
 * @param {{ folder: string }} where `folder` keeps the results
 * @returns {Promise<import("./inside.mjs").Outcomes>}
 */
export async function runScenarios(engine, { folder }) {
  const report = join(folder, "vitest.json");
  const files = [
    "docker-cli",
    "docker-run",
    "login",
    "events",
    "logs",
    "update",
    "compose",
    "testcontainers",
    "testcontainers-reaper",
    "web-socket",
    "cases/bug-reports",
  ];
  const ended = await inside(engine, {
    command: [
      join(ROOT, "node_modules/.bin/vitest"),
      ...["run", "--project", "conformance", "--reporter", "json", "--outputFile", report],
      ...files.map((name) => `conformance/${name}.test.ts`),
    ],
    cwd: ROOT,
    env: { CONFORMANCE_ENGINE: engine.socket },
    log: join(folder, "vitest.log"),
    seconds: 1200,
  });
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8"));
    return new Map(
      testResults.flatMap(({ name: file, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "passed" || status === "failed")
          .map(({ fullName, status, failureMessages }) => [
            `${relative(join(ROOT, "conformance"), file).replace(".test.ts", "")} ${fullName}`,
            { passed: status === "passed", message: (failureMessages[0] ?? "").split("\n")[0].slice(0, 200) },
          ]),
      ),
    );
  } catch {
    return new Map([["(the whole run)", { passed: false, message: `no result: ${ended}` }]]);
  }
}
