/**
 * Normalises an absolute host path: no `.`, `..`, doubled or trailing slash. The caller resolves symbolic links first, because only the
 * host knows them.
 * @returns undefined when the path is not absolute or holds a NUL.
 */
export function normalisePath(path: string): string | undefined {
  if (!path.startsWith("/") || path.includes("\0")) return undefined;
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return `/${kept.join("/")}`;
}

/** Whether `path` is `folder` or below it; both must be normalised. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}
