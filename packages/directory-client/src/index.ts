export { type Bearer, bearerOf, sharersOf } from "./bearer.ts";
export { createDirectoryClient, type DirectoryClient, type DirectoryClientOptions } from "./client.ts";
export type { Caller } from "./parse.ts";
export {
  type Answer,
  ask,
  type Connection,
  type Content,
  type ContentAnswer,
  type ContentRequest,
  DirectoryUnavailable,
  type JsonRequest,
  type Refusal,
  send,
} from "./request.ts";
