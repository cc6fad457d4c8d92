export {
  type Caller,
  createDirectoryClient,
  type DirectoryClient,
  type DirectoryClientOptions,
  DirectoryUnavailable,
} from "./client.ts";
