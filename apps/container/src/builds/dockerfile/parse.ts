import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";

/** One instruction of a Dockerfile, its continued lines joined. */
export interface Instruction {
  /** Of its first line, from 1. */
  readonly line: number;
  /** In capitals: `FROM`. */
  readonly keyword: string;
  /** `--name=value` before the arguments; a flag without a value has "". */
  readonly flags: readonly Flag[];
  /** What follows keyword and flags. */
  readonly rest: string;
  /** All of it on one line, as it was written. */
  readonly text: string;
}

interface Flag {
  readonly name: string;
  readonly value: string;
}

export interface Dockerfile {
  /** The character that continues a line: `\`, or the one of the directive `escape`. */
  readonly continuation: "\\" | "`";
  readonly instructions: readonly Instruction[];
}

const KEYWORDS: ReadonlySet<string> = new Set([
  "ADD",
  "ARG",
  "CMD",
  "COPY",
  "ENTRYPOINT",
  "ENV",
  "EXPOSE",
  "FROM",
  "HEALTHCHECK",
  "LABEL",
  "MAINTAINER",
  "ONBUILD",
  "RUN",
  "SHELL",
  "STOPSIGNAL",
  "USER",
  "VOLUME",
  "WORKDIR",
]);

const DIRECTIVE = /^#\s*([a-zA-Z][a-zA-Z0-9]*)\s*=\s*(.+?)\s*$/;
const COMMENT = /^\s*#/;

/** The most that a Dockerfile may have, in characters and in instructions. */
export const MAX_DOCKERFILE_CHARACTERS = 1 << 20;
const MAX_INSTRUCTIONS = 1000;

export function parseFault(line: number, message: string): string {
  return `dockerfile parse error line ${line}: ${message}`;
}

function escapeOf(lines: readonly string[]): Result<Dockerfile["continuation"], string> {
  for (const [index, line] of lines.entries()) {
    const [, name = "", value = ""] = DIRECTIVE.exec(line) ?? [];
    if (name === "") break;
    if (name.toLowerCase() !== "escape") continue;
    if (value === "\\" || value === "`") return ok(value);
    return err(parseFault(index + 1, `invalid ESCAPE '${value}'. Must be \` or \\`));
  }
  return ok("\\");
}

/** Splits leading flags from the arguments. Docker's flags may hold quotes; no flag that Berth takes needs them. */
function splitFlags(text: string): { readonly flags: readonly Flag[]; readonly rest: string } {
  const flags: Flag[] = [];
  let rest = text;
  for (;;) {
    const [whole = "", name = "", value = ""] = /^--([a-z][a-z-]*)(?:=(\S*))?(?:\s+|$)/.exec(rest) ?? [];
    if (whole === "") return { flags, rest };
    flags.push({ name, value });
    rest = rest.slice(whole.length);
  }
}

/** Parses one instruction without comments and continuations. */
export function parseInstruction(text: string, line: number): Result<Instruction, string> {
  const [, word = "", after = ""] = /^(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  const keyword = word.toUpperCase();
  if (!KEYWORDS.has(keyword)) return err(parseFault(line, `unknown instruction: ${keyword.slice(0, 100)}`));
  const { flags, rest } = splitFlags(after.trim());
  if (rest === "" && !["CMD", "ENTRYPOINT", "RUN", "SHELL", "VOLUME"].includes(keyword))
    return err(parseFault(line, `${keyword} requires at least one argument`));
  return ok({ line, keyword, flags, rest, text: `${keyword} ${after.trim()}` });
}

/**
 * Parses a Dockerfile by the rules of the classic builder: directives, comments, continued lines. The error names the line, in
 * dockerd's words.
 */
export function parseDockerfile(source: string): Result<Dockerfile, string> {
  if (source.length > MAX_DOCKERFILE_CHARACTERS) return err("the Dockerfile is larger than 1 MiB");
  if (source.includes("\0")) return err("the Dockerfile contains a NUL byte");
  const lines = source.replace(/^\uFEFF/, "").split(/\r?\n/);
  const continuation = escapeOf(lines);
  if (!continuation.ok) return continuation;
  const continued = continuation.value === "\\" ? /^(|[\s\S]*[^\\])\\[ \t]*$/ : /^(|[\s\S]*[^`])`[ \t]*$/;
  const instructions: Instruction[] = [];
  let pending = "";
  let first = 0;
  for (const [index, line] of lines.entries()) {
    if (COMMENT.test(line) || (line.trim() === "" && index < lines.length - 1)) continue;
    if (pending === "") first = index + 1;
    const more = continued.exec(line)?.[1];
    pending += pending === "" ? (more ?? line).trimStart() : (more ?? line);
    if ((more !== undefined && index < lines.length - 1) || pending.trim() === "") continue;
    const instruction = parseInstruction(pending, first);
    if (!instruction.ok) return instruction;
    instructions.push(instruction.value);
    pending = "";
    if (instructions.length > MAX_INSTRUCTIONS)
      return err(`the Dockerfile has more than ${MAX_INSTRUCTIONS} instructions`);
  }
  if (pending.trim() !== "") {
    const instruction = parseInstruction(pending, first);
    if (!instruction.ok) return instruction;
    instructions.push(instruction.value);
  }
  return instructions.length === 0
    ? err("file with no instructions")
    : ok({ continuation: continuation.value, instructions });
}
