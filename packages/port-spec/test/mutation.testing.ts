import fc from "fast-check";

// Set up for mutation runs alone: every mutant tries each property again.
fc.configureGlobal({ numRuns: 40 });
