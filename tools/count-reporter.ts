import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/**
 * Prints the closing line `N passed, N failed[, N skipped]`, which is what reads a run from outside.
 * Where BERTH_TEST_COUNTS names a file, the line's three numbers go there instead: the caller adds its own checks.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const before = counts.failed;
      for (const test of module.children.allTests()) counts[test.result().state]++;
      // A file that throws while it loads has no test of its own to fail.
      if (module.state() === "failed" && counts.failed === before) counts.failed++;
    }
    const skipped = counts.skipped + counts.pending;
    const file = process.env.BERTH_TEST_COUNTS;
    if (file) writeFileSync(file, `${counts.passed} ${counts.failed} ${skipped}\n`);
    else
      process.stdout.write(
        `\n${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
      );
  }
}
