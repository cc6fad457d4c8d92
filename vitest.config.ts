import { defineConfig } from "vitest/config";

// Tests read the sources, so that a fresh clone needs no build before its first test.
const conditions = ["@berth/source", "node", "import", "module", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "packages/*/{src,test}/**/*.test.ts",
      "apps/*/{src,test}/**/*.test.ts",
      "tools/**/*.test.ts",
      "conformance/**/*.test.ts",
    ],
    globalSetup: ["./tools/postgres.testing.ts"],
    reporters: ["default", "./tools/count-reporter.ts"],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
