import { mergeConfig } from "vitest/config";
import alone from "./vitest.config.ts";

/** Without the real CLI: a mutant must fall to the package's own tests, and quickly. */
export default mergeConfig(alone, { test: { exclude: ["test/docker-cli.test.ts", "**/node_modules/**"] } });
