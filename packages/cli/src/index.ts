export type { Terminal } from "./context.ts";
export { run, type Settings } from "./run.ts";
