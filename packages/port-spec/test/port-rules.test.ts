import { expect, test } from "vitest";
import { portRules } from "./port-rules.testing.ts";

test("docs/port-rules.md says what the code does", async () => {
  await expect(portRules()).toMatchFileSnapshot("../../../docs/port-rules.md");
});
