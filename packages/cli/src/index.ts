export type { Terminal } from "./context.ts";
export { run } from "./run.ts";
