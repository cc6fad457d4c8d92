import { fileURLToPath } from "node:url";

/** Files of this package. Modules that name such files are two folders deep in `src`, as the bundle is in `dist`. */
export const PROTOS_DIR = fileURLToPath(new URL("../../protos", import.meta.url));
export const SECCOMP_PATH = fileURLToPath(new URL("../../data/seccomp.json", import.meta.url));
