import { posix } from "node:path";
import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";
import { MOST_EXPOSED_PORTS } from "../../engine/exposed-ports.ts";
import type { ImageConfig } from "../images.ts";
import { parseHealthcheck } from "./healthcheck.ts";
import { execForm, shellWords } from "./shell-words.ts";

type Change = (config: ImageConfig, argument: string) => Result<ImageConfig, string>;

const SHELL = ["/bin/sh", "-c"];
function setOf(keys: readonly string[]): Readonly<Record<string, Record<string, never>>> {
  return Object.fromEntries(keys.map((key) => [key, {}]));
}

function command(config: ImageConfig, argument: string): readonly string[] {
  return execForm(argument) ?? [...(config.Shell ?? SHELL), argument];
}

function variablesOf({ Env = [] }: ImageConfig): ReadonlyMap<string, string> {
  return new Map(Env.map(splitPair));
}

function splitPair(pair: string): readonly [string, string] {
  const equals = pair.indexOf("=");
  return equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

function words(config: ImageConfig, name: string, argument: string): Result<readonly string[], string> {
  const found = shellWords(argument, variablesOf(config));
  if (!found.ok) return err(`${name}: ${found.error}`);
  return found.value.length === 0 ? err(`${name} requires at least one argument`) : found;
}

/** `key=value` words, or one key with the rest of the line as its value. */
function pairs(
  config: ImageConfig,
  name: string,
  argument: string,
): Result<readonly (readonly [string, string])[], string> {
  const [first = ""] = argument.split(/\s/, 1);
  const text = first.includes("=")
    ? argument
    : argument.replace(/\s+/, "=").replace(/^([^=]+=)([^"'].*\s.*)$/, '$1"$2"');
  const found = words(config, name, text);
  if (!found.ok) return found;
  const bare = found.value.find((word) => !word.includes("=") || word.startsWith("="));
  if (bare !== undefined) return err(`${name} names cannot be blank and need a value: ${JSON.stringify(bare)}`);
  return ok(found.value.map(splitPair));
}

function single(config: ImageConfig, name: string, argument: string): Result<string, string> {
  const found = words(config, name, argument);
  if (!found.ok) return found;
  const [word = ""] = found.value;
  return found.value.length === 1 ? ok(word) : err(`${name} requires exactly one argument`);
}

const PORT_RANGE = /^(\d{1,5})(?:-(\d{1,5}))?(?:\/(tcp|udp|sctp))?$/;

/** `8000-8002/udp` as the keys of `ExposedPorts`. */
function portKeys(text: string): readonly string[] | undefined {
  const match = PORT_RANGE.exec(text.toLowerCase());
  if (match === null) return undefined;
  const [, start, end = start, protocol = "tcp"] = match;
  const [first, last] = [Number(start), Number(end)];
  if (first < 1 || last > 65_535 || first > last) return undefined;
  return Array.from({ length: last - first + 1 }, (_, index) => `${first + index}/${protocol}`);
}

/** The instructions that `docker import --change` and `docker commit --change` take. */
const INSTRUCTIONS: ReadonlyMap<string, Change> = new Map<string, Change>([
  ["CMD", (config, argument) => ok({ ...config, Cmd: argument === "" ? [] : command(config, argument) })],
  ["ENTRYPOINT", (config, argument) => ok({ ...config, Entrypoint: argument === "" ? [] : command(config, argument) })],
  [
    "ENV",
    (config, argument) => {
      const found = pairs(config, "ENV", argument);
      if (!found.ok) return found;
      const env = new Map(variablesOf(config));
      for (const [key, value] of found.value) env.set(key, value);
      return ok({ ...config, Env: [...env].map(([key, value]) => `${key}=${value}`) });
    },
  ],
  [
    "LABEL",
    (config, argument) => {
      const found = pairs(config, "LABEL", argument);
      return found.ok ? ok({ ...config, Labels: { ...config.Labels, ...Object.fromEntries(found.value) } }) : found;
    },
  ],
  [
    "EXPOSE",
    (config, argument) => {
      const found = words(config, "EXPOSE", argument);
      if (!found.ok) return found;
      const keys: string[] = [];
      for (const word of found.value) {
        const ports = portKeys(word);
        if (ports === undefined) return err(`invalid containerPort: ${word}`);
        if (keys.length + ports.length > MOST_EXPOSED_PORTS)
          return err(`EXPOSE of more than ${MOST_EXPOSED_PORTS} ports`);
        for (const port of ports) keys.push(port);
      }
      return ok({ ...config, ExposedPorts: { ...config.ExposedPorts, ...setOf(keys) } });
    },
  ],
  [
    "USER",
    (config, argument) => {
      const found = single(config, "USER", argument);
      return found.ok ? ok({ ...config, User: found.value }) : found;
    },
  ],
  [
    "WORKDIR",
    (config, argument) => {
      const found = single(config, "WORKDIR", argument);
      return found.ok ? ok({ ...config, WorkingDir: posix.resolve("/", config.WorkingDir ?? "", found.value) }) : found;
    },
  ],
  [
    "VOLUME",
    (config, argument) => {
      const list = execForm(argument);
      const found = list === undefined ? words(config, "VOLUME", argument) : ok(list);
      if (!found.ok) return found;
      if (found.value.some((path) => path.trim() === "")) return err("VOLUME specified can not be an empty string");
      return ok({ ...config, Volumes: { ...config.Volumes, ...setOf(found.value) } });
    },
  ],
  [
    "STOPSIGNAL",
    (config, argument) => {
      const found = single(config, "STOPSIGNAL", argument);
      return found.ok ? ok({ ...config, StopSignal: found.value }) : found;
    },
  ],
  [
    "ONBUILD",
    (config, argument) => {
      const [trigger = ""] = argument.toUpperCase().split(/\s/, 1);
      if (trigger === "") return err("ONBUILD requires at least one argument");
      if (trigger === "ONBUILD") return err("Chaining ONBUILD via `ONBUILD ONBUILD` isn't allowed");
      if (trigger === "MAINTAINER" || trigger === "FROM") return err(`${trigger} isn't allowed as an ONBUILD trigger`);
      return ok({ ...config, OnBuild: [...(config.OnBuild ?? []), argument] });
    },
  ],
  [
    "HEALTHCHECK",
    (config, argument) => {
      const found = parseHealthcheck(argument);
      return found.ok ? ok({ ...config, Healthcheck: found.value }) : found;
    },
  ],
]);

/** One instruction per entry, with continued lines joined and without comments and empty lines. */
function linesOf(changes: readonly string[]): readonly string[] {
  return changes
    .join("\n")
    .replace(/^\s*#.*$/gm, "")
    .replace(/\\[ \t]*\n/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Far more than clients send. Each instruction copies what those before it made. */
const MOST_INSTRUCTIONS = 100;
const MOST_LETTERS = 64 * 1024;

/** Applies Dockerfile instructions to a configuration, in order; the error is Docker's where Docker has one. */
export function applyChanges(config: ImageConfig, changes: readonly string[]): Result<ImageConfig, string> {
  const letters = changes.reduce((sum, text) => sum + text.length, 0);
  if (letters > MOST_LETTERS) return err(`changes have at most ${MOST_LETTERS} characters, and these have ${letters}`);
  const lines = linesOf(changes).map((line) => /^(\S+)\s*(.*)$/s.exec(line) ?? ["", "", ""]);
  if (lines.length > MOST_INSTRUCTIONS)
    return err(`changes have at most ${MOST_INSTRUCTIONS} instructions, and these have ${lines.length}`);
  let changed = config;
  for (const [, name = "", argument = ""] of lines) {
    const instruction = INSTRUCTIONS.get(name.toUpperCase());
    if (instruction === undefined) return err(`${name} is not a valid change command`);
    const result = instruction(changed, argument);
    if (!result.ok) return result;
    changed = result.value;
  }
  const named = new Set(lines.map(([, name = ""]) => name.toUpperCase()));
  // A new entrypoint makes the old arguments meaningless.
  return ok(named.has("ENTRYPOINT") && !named.has("CMD") ? { ...changed, Cmd: null } : changed);
}
