import { configDefaults, mergeConfig } from "vitest/config";
import alone from "./vitest.config.ts";

/** Without the real CLI and the docs outside the package: a mutant must fall to the package's own tests, and quickly. */
export default mergeConfig(alone, {
  test: {
    env: { MUTATION: "1" },
    setupFiles: ["test/mutation.testing.ts"],
    exclude: [...configDefaults.exclude, "test/docker-cli.test.ts", "test/port-rules.test.ts"],
  },
});
