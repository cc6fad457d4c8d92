import { mergeConfig } from "vitest/config";
import alone from "./vitest.config.ts";

/** Without the real CLI and the docs outside the package: a mutant must fall to the package's own tests, and quickly. */
export default mergeConfig(alone, {
  test: {
    env: { PORT_WORLDS: "150" },
    exclude: ["test/docker-cli.test.ts", "test/port-rules.test.ts", "**/node_modules/**"],
  },
});
