import { posix } from "node:path";
import { type Glob, globExpression } from "../../images/changes/glob.ts";

/** A line of `.dockerignore`: its path, part by part; undefined stands for `**`. */
interface Pattern {
  readonly parts: readonly (Glob | undefined)[];
  readonly excepts: boolean;
}

const MOST_LINES = 10_000;

function patternOf(line: string): Pattern | undefined {
  const excepts = line.startsWith("!");
  const path = posix.normalize(excepts ? line.slice(1).trim() : line).replace(/^\/+|\/+$/g, "");
  const parts: (Glob | undefined)[] = [];
  for (const part of path === "" ? [] : path.split("/")) {
    const glob = part === "**" ? undefined : globExpression(part.replace(/\*\*+/g, "*"));
    if (part !== "**" && glob === undefined) return undefined;
    parts.push(glob);
  }
  return { parts, excepts };
}

function matches(parts: Pattern["parts"], names: readonly string[]): boolean {
  const [first, ...rest] = parts;
  // What is in an ignored folder is ignored with it.
  if (parts.length === 0) return true;
  if (first === undefined)
    return names.some((_, index) => matches(rest, names.slice(index))) || (rest.length === 0 && names.length > 0);
  const [name, ...below] = names;
  return name !== undefined && first.test(name) && matches(rest, below);
}

/** Whether a `.dockerignore` excludes the path: the last line that matches decides (moby `patternmatcher`). */
export function isIgnored(ignoreFile: string, path: string): boolean {
  const names = posix.normalize(path).split("/");
  let ignored = false;
  for (const line of ignoreFile.split(/\r?\n/).slice(0, MOST_LINES)) {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const pattern = patternOf(text);
    if (pattern !== undefined && pattern.excepts === ignored && matches(pattern.parts, names))
      ignored = !pattern.excepts;
  }
  return ignored;
}
