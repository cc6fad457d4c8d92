export { type Bearer, bearerOf } from "./bearer.ts";
export { createDirectoryClient, type DirectoryClient, type DirectoryClientOptions } from "./client.ts";
export type { Caller } from "./parse.ts";
export { DirectoryUnavailable } from "./request.ts";
