import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as portSpec from "../src/index.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);

describe("the examples of the README give what they say", () => {
  test.each(examples)("%s", (code) => {
    const outcomes = run(code);
    expect(outcomes.length).toBeGreaterThan(0);
    for (const [outcome, promised] of outcomes) expect(outcome).toEqual(promised);
  });
});

/** Runs an example with the package's names at hand; each line `expression; // => value` yields the pair of both. */
function run(code: string): readonly (readonly [unknown, unknown])[] {
  const script = code
    .replace(/^import .*$/gm, "")
    .replace(
      /^(.+); \/\/ => (.+)$/gm,
      (_, outcome: string, promised: string) => `outcomes.push([${outcome}, ${promised}]);`,
    );
  return new Function(...Object.keys(portSpec), `const outcomes = []; ${script}; return outcomes;`)(
    ...Object.values(portSpec),
  );
}

test("the README names only what there is", () => {
  const named = [...readme.matchAll(/`([a-z]+(?:[A-Z][a-z]+)+)`/g)].map(([, name]) => name);
  const known = [...Object.keys(portSpec), "hostIp", "anyAddress"];
  expect(known).toEqual(expect.arrayContaining(named));
});
