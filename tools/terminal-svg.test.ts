import { expect, test } from "vitest";
import { terminalSvg } from "./terminal-svg.ts";

/** What is shown, row by row, and when it appears. */
function rowsOf(svg: string) {
  return [...svg.matchAll(/<text x="16" y="(\d+)" (.*?)>(.*)<\/text>/g)].map(([, y, attributes = "", text]) => ({
    y: Number(y),
    kind: /class="(\w+)"/.exec(attributes)?.[1],
    at: Number(/--at:([\d.]+)s/.exec(attributes)?.[1]),
    text,
  }));
}

test("shows commands, then what they printed, one after the other", () => {
  const svg = terminalSvg([
    { command: "docker run <image>", output: "denied & gone\n" },
    { command: "docker ps", output: "one\ntwo\n" },
  ]);
  const rows = rowsOf(svg);
  expect(rows.map(({ text, kind }) => [text, kind])).toEqual([
    ["$ docker run &lt;image&gt;", "typed"],
    ["denied &amp; gone", "refused"],
    ["$ docker ps", "typed"],
    ["one", undefined],
    ["two", undefined],
  ]);
  const times = rows.map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  // An empty row comes between the commands.
  expect(rows.map(({ y }) => (y - 29) / 19)).toEqual([0, 1, 3, 4, 5]);
});

test("wraps rows as a terminal does, and grows with them", () => {
  const svg = terminalSvg([{ command: "echo", output: `${"x".repeat(120)}\n` }]);
  expect(rowsOf(svg).map(({ text = "" }) => text.length)).toEqual([6, 112, 8]);
  expect(svg).toContain('height="89"');
});
