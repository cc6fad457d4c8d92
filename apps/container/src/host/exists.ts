import { stat } from "node:fs/promises";

/** Whether there is a file or folder at `path`, or where a link of that path leads. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A handler for a failed call on a path: undefined where there is nothing, any other failure again. */
export function unlessMissing(thrown: unknown): undefined {
  if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
  return undefined;
}
