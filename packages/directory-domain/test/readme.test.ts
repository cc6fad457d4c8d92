import { expect, test } from "vitest";
import { compileExamples, readmeExamples } from "../../../tools/examples.testing.ts";
import * as domain from "../src/index.ts";

test("the examples of the README compile, and give what they say", () => {
  const codes = readmeExamples("directory-domain");
  expect(codes).not.toEqual([]);
  compileExamples(codes).forEach((script, index) => {
    const pairs: (readonly [unknown, unknown])[] = [];
    const body = script.replace(/^(import .*|export \{\};)$/gm, "");
    const expectEqual = (actual: unknown, expected: unknown) => pairs.push([actual, expected]);
    new Function("expectEqual", ...Object.keys(domain), body)(expectEqual, ...Object.values(domain));
    expect(pairs).toHaveLength(codes[index]?.match(/\/\/ => /g)?.length ?? 0);
    for (const [actual, expected] of pairs) expect(actual).toEqual(expected);
  });
});
