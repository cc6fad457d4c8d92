export { type Bearer, bearerOf } from "./bearer.ts";
export { createDirectoryClient, type DirectoryClient, type DirectoryClientOptions } from "./client.ts";
export type { Caller } from "./parse.ts";
export { type Answer, ask, type Call, type Connection, DirectoryUnavailable } from "./request.ts";
