import { type DockerRun, factsOf, parseCompose, parseDockerLine, splitWords } from "@berth/cli/docker";
import type { ContainerFacts } from "@berth/directory-domain";
import { err, ok, type Result } from "@berth/port-spec";

/** A container that a command line or a service of a compose file describes. */
export interface Wanted {
  readonly name: string;
  readonly facts: ContainerFacts;
}

/** Where relative paths of a compose file or a command line begin: a place that nobody's limits name. */
const FOLDER = "/your-folder";

/** Reads a `docker run` line or a compose file. @returns its containers, or what is wrong. */
export function readRequest(text: string): Result<readonly Wanted[], string> {
  if (text.trim() === "") return err("Paste a docker run line or a compose file.");
  const runs = isLine(text) ? readLine(text) : readCompose(text);
  if (!runs.ok) return runs;
  const wanted: Wanted[] = [];
  for (const [name, run] of runs.value) {
    const facts = factsOf(run, FOLDER);
    if (!facts.ok) return err(`${name}: ${facts.error}`);
    wanted.push({ name, facts: facts.value });
  }
  return ok(wanted);
}

function isLine(text: string): boolean {
  return /^\s*(?:[$#]\s+)?(?:sudo\s+)?(?:docker|podman|run|create)\s/.test(text);
}

function readLine(text: string): Result<ReadonlyMap<string, DockerRun>, string> {
  const words = splitWords(text.replace(/^\s*[$#]\s+/, ""));
  if (!words.ok) return err(`The command line: ${words.error}.`);
  const line = parseDockerLine(words.value.filter((word, at) => at > 1 || !["sudo", "podman"].includes(word)));
  if (!line.ok) return err(`The command line: ${line.error}.`);
  return ok(new Map([[line.value.flags.get("name")?.at(-1) ?? line.value.image, line.value]]));
}

function readCompose(text: string): Result<ReadonlyMap<string, DockerRun>, string> {
  const file = parseCompose(text, {});
  return file.ok ? file : err(`The compose file: ${file.error}.`);
}
