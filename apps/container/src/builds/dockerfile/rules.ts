import type { Instruction } from "./parse.ts";
import { parseFault, parseInstruction } from "./parse.ts";

/** The flags of the classic builder. */
const FLAGS: Readonly<Record<string, ReadonlySet<string>>> = {
  ADD: new Set(["chown"]),
  COPY: new Set(["chown", "from"]),
  FROM: new Set(["platform"]),
  HEALTHCHECK: new Set(["interval", "timeout", "start-period", "retries"]),
};

/** Flags that BuildKit alone knows, for a message that helps. */
const BUILDKIT_FLAGS: Readonly<Record<string, ReadonlySet<string>>> = {
  RUN: new Set(["mount", "network", "security", "device"]),
  ADD: new Set(["chmod", "link", "keep-git-dir", "checksum", "exclude", "unpack"]),
  COPY: new Set(["chmod", "link", "parents", "exclude"]),
};

const NEVER_TRIGGERS: ReadonlySet<string> = new Set(["ONBUILD", "FROM", "MAINTAINER"]);

function flagFault({ keyword, flags }: Instruction): string | undefined {
  for (const { name, value } of flags) {
    if (BUILDKIT_FLAGS[keyword]?.has(name))
      return `the --${name} option requires BuildKit. Refer to https://docs.docker.com/go/buildkit/ to learn how to build images with BuildKit enabled`;
    if (!FLAGS[keyword]?.has(name)) return `Unknown flag: ${name}`;
    if (value === "") return `Missing a value on flag: ${name}`;
    if (/["'`\\]/.test(value)) return `the value of --${name} may not contain quotes or backslashes`;
  }
  return new Set(flags.map(({ name }) => name)).size < flags.length
    ? `Duplicate flag specified: ${flags[0]?.name}`
    : undefined;
}

/** What the classic builder refuses in an instruction, in its words; undefined for nothing. */
export function instructionFault(instruction: Instruction): string | undefined {
  const fault = flagFault(instruction) ?? flagLike(instruction) ?? triggerFault(instruction);
  return fault === undefined ? undefined : parseFault(instruction.line, fault);
}

/** A flag in a spelling that was not read as one must not reach a builder that might. */
function flagLike({ keyword, rest }: Instruction): string | undefined {
  if (keyword === "RUN" || keyword === "CMD" || keyword === "ENTRYPOINT" || keyword === "HEALTHCHECK")
    return /^--/.test(rest) ? `Unknown flag: ${rest.slice(2).split(/[\s=]/)[0]}` : undefined;
  return ["ADD", "COPY", "FROM", "ONBUILD"].includes(keyword) && /^--/.test(rest)
    ? `Unknown flag: ${rest.slice(2).split(/[\s=]/)[0]}`
    : undefined;
}

function triggerFault({ keyword, rest, line }: Instruction): string | undefined {
  if (keyword !== "ONBUILD") return undefined;
  const trigger = parseInstruction(rest, line);
  if (!trigger.ok) return trigger.error;
  if (NEVER_TRIGGERS.has(trigger.value.keyword))
    return trigger.value.keyword === "ONBUILD"
      ? "Chaining ONBUILD via `ONBUILD ONBUILD` isn't allowed"
      : `${trigger.value.keyword} isn't allowed as an ONBUILD trigger`;
  return flagFault(trigger.value) ?? flagLike(trigger.value);
}

/**
 * What keeps a base image's `ONBUILD` triggers from being run: triggers are the image's, and hold to the same rules as the
 * Dockerfile. `COPY --from` is refused in them, since it names an image that nobody decided on.
 */
export function triggersFault(triggers: readonly string[]): string | undefined {
  for (const text of triggers) {
    if (/[\n\r\0]/.test(text)) return `ONBUILD ${JSON.stringify(text.slice(0, 80))}: has several lines`;
    const trigger = parseInstruction(text, 1);
    const fault = trigger.ok
      ? trigger.value.flags.some(({ name }) => name === "from")
        ? "--from is not supported in a trigger"
        : NEVER_TRIGGERS.has(trigger.value.keyword)
          ? `${trigger.value.keyword} isn't allowed as an ONBUILD trigger`
          : (flagFault(trigger.value) ?? flagLike(trigger.value))
      : trigger.error;
    if (fault !== undefined) return `ONBUILD ${JSON.stringify(text.slice(0, 80))}: ${fault}`;
  }
  return undefined;
}
