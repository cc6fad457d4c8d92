import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";
import { shellWords } from "../../images/changes/shell-words.ts";
import type { Dockerfile, Instruction } from "./parse.ts";
import { parseFault } from "./parse.ts";
import { instructionFault } from "./rules.ts";

/** An instruction with what was found out about it. */
export interface Step {
  readonly instruction: Instruction;
  /** The image that FROM or COPY --from names, variables expanded; undefined for a stage, `scratch` and everything else. */
  readonly image: string | undefined;
  /** What a FROM that names no image starts from: a stage, or `scratch`. */
  readonly base?: string;
}

type Source = Pick<Step, "image" | "base">;

/** What a Dockerfile asks for, as far as the wished stage. */
export interface BuildPlan {
  readonly continuation: Dockerfile["continuation"];
  readonly steps: readonly Step[];
  /** Every image that is named, each once. */
  readonly images: readonly string[];
  /** Whether a stage starts from nothing. */
  readonly fromScratch: boolean;
  /** The literal URLs of ADD. */
  readonly urls: readonly string[];
}

/** `NAME=VALUE` of a request; null takes the value of nobody's environment, as the classic builder does. */
export type BuildArguments = Readonly<Record<string, string | null>>;

const STAGE_NAME = /^[a-z][a-z0-9-_.]*$/;

/** The base of an image that starts from nothing. */
const SCRATCH_BASE = "scratch";

interface Reading {
  readonly stages: { readonly name: string }[];
  readonly variables: Map<string, string>;
}

/** An ARG before the first FROM: its default, or what the request says. */
function readGlobalArgument({ rest }: Instruction, { variables }: Reading, args: BuildArguments): void {
  const words = shellWords(rest, variables);
  for (const word of words.ok ? words.value : []) {
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const value =
      (Object.hasOwn(args, name) ? args[name] : undefined) ?? (equals < 0 ? undefined : word.slice(equals + 1));
    if (value !== undefined) variables.set(name, value);
  }
}

function stageIndex({ stages }: Reading, name: string): number {
  return stages.findLastIndex((stage) => stage.name !== "" && stage.name === name.toLowerCase());
}

function readFrom({ rest, line }: Instruction, reading: Reading): Result<Source, string> {
  const words = rest.split(/\s+/);
  const [base = "", as, alias, ...more] = words;
  if ((words.length !== 1 && words.length !== 3) || more.length > 0 || (as !== undefined && as.toLowerCase() !== "as"))
    return err(parseFault(line, "FROM requires either one or three arguments"));
  const name = alias?.toLowerCase() ?? "";
  if (alias !== undefined && !STAGE_NAME.test(name))
    return err(
      parseFault(
        line,
        `invalid name for build stage: ${JSON.stringify(alias)}, name can't start with a number or contain symbols`,
      ),
    );
  const named = shellWords(base, reading.variables);
  const expanded = named.ok ? named.value.join("") : "";
  if (expanded === "") return err(parseFault(line, `base name (${base}) should not be blank`));
  const isStage = stageIndex(reading, expanded) >= 0;
  reading.stages.push({ name });
  return ok(isStage || expanded === SCRATCH_BASE ? { image: undefined, base: expanded } : { image: expanded });
}

function readCopy({ flags, line }: Instruction, reading: Reading): Result<Source, string> {
  const from = flags.find(({ name }) => name === "from")?.value;
  if (from === undefined) return ok({ image: undefined });
  if (from.includes("$"))
    return err(parseFault(line, `invalid from flag value ${from}: variables are not expanded in it`));
  if (/^\d+$/.test(from))
    return Number(from) < reading.stages.length - 1
      ? ok({ image: undefined })
      : err(parseFault(line, `invalid from flag value ${from}: no such stage before this one`));
  const stage = stageIndex({ ...reading, stages: reading.stages.slice(0, -1) }, from);
  return ok({ image: stage >= 0 ? undefined : from });
}

function urlsOf({ keyword, rest }: Instruction): readonly string[] {
  return keyword === "ADD"
    ? (rest.match(/\b(?:https?|ftp):\/\/(?:[^\s"',/[\]]*\[[^\s"',\]]*\])?[^\s"',\]]*/gi) ?? [])
    : [];
}

/** The number of the last stage to build: by name, by number, or the last one for "". */
function targetStage(target: string, { stages }: Reading): Result<number, string> {
  if (target === "") return ok(stages.length - 1);
  const byName = stages.findIndex(({ name }) => name === target.toLowerCase());
  const index = byName >= 0 ? byName : /^\d+$/.test(target) ? Number(target) : -1;
  return index >= 0 && index < stages.length ? ok(index) : err(`failed to reach build target ${target} in Dockerfile`);
}

/** Checks a Dockerfile and finds the images that it names. Pure; the error is dockerd's, with the line. */
export function planBuild(
  { continuation, instructions }: Dockerfile,
  { args, target }: { readonly args: BuildArguments; readonly target: string },
): Result<BuildPlan, string> {
  const reading: Reading = { stages: [], variables: new Map() };
  const steps: (Step & { readonly stage: number })[] = [];
  for (const instruction of instructions) {
    const { keyword, line } = instruction;
    const fault = instructionFault(instruction);
    if (fault !== undefined) return err(fault);
    if (reading.stages.length === 0 && keyword !== "FROM") {
      if (keyword !== "ARG") return err(parseFault(line, "no build stage in current context"));
      readGlobalArgument(instruction, reading, args);
    }
    const source: Result<Source, string> =
      keyword === "FROM"
        ? readFrom(instruction, reading)
        : keyword === "COPY"
          ? readCopy(instruction, reading)
          : ok({ image: undefined });
    if (!source.ok) return source;
    steps.push({ instruction, ...source.value, stage: reading.stages.length - 1 });
  }
  if (reading.stages.length === 0) return err("no build stage in current context");
  const last = targetStage(target, reading);
  if (!last.ok) return last;
  const wanted = steps.filter(({ stage }) => stage <= last.value);
  return ok({
    continuation,
    steps: wanted.map(({ stage: _stage, ...step }) => step),
    fromScratch: wanted.some(({ base }) => base === SCRATCH_BASE),
    images: [...new Set(wanted.flatMap(({ image }) => image ?? []))],
    urls: wanted.flatMap(({ instruction }) => urlsOf(instruction)),
  });
}

/**
 * The Dockerfile for the builder: each instruction on a line of its own, and each image by the name that `locate` gives it. What is
 * not written here the builder never sees.
 */
export function formatPlan({ continuation, steps }: BuildPlan, locate: (image: string) => string): string {
  const lines = steps.map(({ instruction: { keyword, flags, rest, text }, image, base = "" }) => {
    if (keyword !== "FROM" && (keyword !== "COPY" || image === undefined)) return text;
    const shown = flags.map(
      ({ name, value }) => `--${name}=${name === "from" && image !== undefined ? locate(image) : value}`,
    );
    if (keyword === "COPY") return ["COPY", ...shown, rest].join(" ");
    const [, ...alias] = rest.split(/\s+/);
    return ["FROM", ...shown, image === undefined ? base : locate(image), ...alias].join(" ");
  });
  return [...(continuation === "`" ? ["# escape=`"] : []), ...lines, ""].join("\n");
}
