import { expect, test } from "vitest";
import { splitWords } from "./words.ts";

test.each([
  ["docker run  -p 80:80 nginx", ["docker", "run", "-p", "80:80", "nginx"]],
  ["run \\\n  -p 80:80 \\\r\n  nginx", ["run", "-p", "80:80", "nginx"]],
  [`run -e 'A=b c' -e "D=\\"e\\" f" x`, ["run", "-e", "A=b c", "-e", 'D="e" f', "x"]],
  ["a\\ b ''", ["a b", ""]],
  [`pre'in'"side"post`, ["preinsidepost"]],
  ["", []],
])("splits %j", (line, words) => expect(splitWords(line)).toEqual({ ok: true, value: words }));

test.each(["run 'open", 'run "open \\"'])("tells of the open quote in %j", (line) =>
  expect(splitWords(line)).toMatchObject({ ok: false }),
);
