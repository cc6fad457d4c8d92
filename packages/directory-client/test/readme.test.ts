import { expect, test } from "vitest";
import { compileExamples, readmeExamples } from "../../../tools/examples.testing.ts";

test("the examples of the README compile", () => {
  const codes = readmeExamples("directory-client");
  expect(codes).not.toEqual([]);
  expect(compileExamples(codes)).toHaveLength(codes.length);
});
