import { afterEach, expect, it } from "vitest";
import { runCommand } from "../command.ts";
import { uniqueInstance } from "../host.testing.ts";
import { watchRules } from "./watch-rules.ts";

const own = uniqueInstance();
const other = uniqueInstance();

afterEach(async () => {
  for (const table of [own, other]) await runCommand("nft", [`add table ip ${table}; delete table ip ${table}`]);
});

it("tells of a change of another table's rules, and of none of its own", async () => {
  let changes = 0;
  const change = (table: string) =>
    runCommand("nft", [`add table ip ${table}; add chain ip ${table} c; add rule ip ${table} c accept`]);
  // Other tests change tables of theirs at any time; a table that no other test knows ends the wait.
  const watch = watchRules(own, () => changes++);
  await expect
    .poll(async () => {
      await change(other);
      return changes;
    })
    .toBeGreaterThan(0);
  watch.close();
  const before = changes;
  await change(other);
  await change(own);
  expect(changes).toBe(before);
});
