export { bytesOf } from "./bytes.ts";
export { parseCompose } from "./compose.ts";
export { factsOf } from "./facts.ts";
export { type DockerRun, parseDockerLine } from "./line.ts";
export { splitWords } from "./words.ts";
