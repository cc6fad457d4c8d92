import { configDefaults, mergeConfig } from "vitest/config";
import alone from "./vitest.config.ts";

/** Without the real CLI and the tests of documentation: a mutant must fail a unit test, quickly. */
export default mergeConfig(alone, {
  test: {
    env: { MUTATION: "1" },
    setupFiles: ["test/mutation.testing.ts"],
    exclude: [...configDefaults.exclude, "test/docker-cli.test.ts", "test/port-rules.test.ts", "test/readme.test.ts"],
  },
});
