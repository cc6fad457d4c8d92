import { expect, test } from "vitest";
import { portRules } from "./port-rules.testing.ts";

test("port-rules.md matches the code", async () => {
  await expect(portRules()).toMatchFileSnapshot("../port-rules.md");
});
