import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import { hasReference } from "./conformance/reference.testing.ts";

// Tests read the sources, so that a fresh clone needs no build before its first test. `module` is for bundlers: what stands there need not run in Node.
const conditions = ["@berth/source", "node", "import", "default"];

/** What every run of the tests shares. */
export const SHARED = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Bounds what never comes. What is polled for takes as long as the machine makes it: the default of a second is no bound.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 30_000,
    reporters: ["default", "./tools/count-reporter.ts"],
  },
});

export default mergeConfig(
  SHARED,
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: "sources",
            include: ["packages/*/{src,test}/**/*.test.ts", "apps/*/{src,test}/**/*.test.ts", "tools/**/*.test.ts"],
            globalSetup: ["./tools/postgres.testing.ts"],
            // The tests wait for databases and daemons more than they compute.
            maxWorkers: Math.max(3, availableParallelism() - 1),
            hookTimeout: 120_000,
          },
        },
        {
          extends: true,
          test: {
            // Real clients against real Berths from the build, as many as workers, on a machine that is not busy otherwise.
            name: "conformance",
            include: ["conformance/**/*.test.ts"],
            // The root of dockerd 28.5 is a gigabyte: docs/conformance.md.
            exclude: [...configDefaults.exclude, ...(hasReference ? [] : ["conformance/buildkit*.test.ts"])],
            globalSetup: ["./conformance/setup.testing.ts", "./tools/postgres.testing.ts"],
            maxWorkers: process.env.CONFORMANCE_ENGINE === undefined ? 2 : 1,
            sequence: { groupOrder: 1 },
            testTimeout: 60_000,
            hookTimeout: 120_000,
          },
        },
      ],
    },
  }),
);
