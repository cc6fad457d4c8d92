import { stat } from "node:fs/promises";

/** Whether there is a file or folder at `path`, or where a link of that path leads. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
