import { fileURLToPath } from "node:url";

/** Where `native/build.sh` puts its programs by default; the same from the sources and from `dist`. */
export const NATIVE_DIR = fileURLToPath(new URL("../../native/build", import.meta.url));
