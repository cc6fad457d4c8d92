import { defineConfig } from "vitest/config";

/** The package alone, for the runs that need it so: coverage, which must be whole, and mutation. */
export default defineConfig({
  test: {
    include: ["{src,test}/**/*.test.ts"],
    testTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts", "src/**/*.testing.ts"],
      reporter: ["text"],
      thresholds: { branches: 100, functions: 100, lines: 100, statements: 100 },
    },
  },
});
