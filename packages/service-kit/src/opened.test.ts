import { expect, it } from "vitest";
import { Opened } from "./opened.ts";

it.each([
  ["close", ["close c", "release b", "close a"]],
  ["teardown", ["tear down c", "release b", "tear down a"]],
] as const)("%s releases what was opened, last first", async (how, expected) => {
  const seen: string[] = [];
  const opened = new Opened();
  const both = {
    close: (name: string) => void seen.push(`close ${name}`),
    teardown: (name: string) => void seen.push(`tear down ${name}`),
  };
  expect(opened.keep("a", both)).toBe("a");
  opened.keep("b", async (name) => void seen.push(`release ${name}`));
  opened.keep("c", both);
  await opened.end(how);
  await opened.end(how);
  expect(seen).toEqual(expected);
});
