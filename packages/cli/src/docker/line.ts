import { err, ok, type Result } from "@berth/port-spec";

/** A container as `docker run` describes it: its image, and the values of each flag by the flag's long name. */
export interface DockerRun {
  readonly image: string;
  readonly flags: ReadonlyMap<string, readonly string[]>;
}

/** The flags of docker run that matter to policy or that take no value; all others take one. */
const SWITCHES = new Set(
  "detach interactive tty rm init privileged publish-all read-only no-healthcheck oom-kill-disable sig-proxy disable-content-trust quiet help use-api-socket".split(
    " ",
  ),
);
const LONG_NAMES: Readonly<Record<string, string>> = {
  d: "detach",
  i: "interactive",
  t: "tty",
  P: "publish-all",
  q: "quiet",
  p: "publish",
  v: "volume",
  m: "memory",
  net: "network",
};

/**
 * Reads a command line of `docker run` or `docker create`, with or without the word `docker`.
 * @returns the image and the flags before it, or what is wrong.
 */
export function parseDockerLine(words: readonly string[]): Result<DockerRun, string> {
  const verb = words.findIndex((word) => word !== "docker" && word !== "container");
  if (!["run", "create"].includes(words[verb] ?? ""))
    return err("it must be one of docker run or docker create, as in -- run -p 9000:80 nginx");
  const rest = words.slice(verb + 1);
  const flags = new Map<string, string[]>();
  const add = (name: string, value: string) => flags.set(name, [...(flags.get(name) ?? []), value]);
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    if (!word.startsWith("-") || word === "-") return ok({ image: word, flags });
    if (word === "--") return image(rest[at + 1], flags);
    const { switches, name, value } = readFlag(word);
    for (const one of switches) add(one, "true");
    if (name === undefined) continue;
    const given = value ?? rest[++at];
    if (given === undefined) return err(`${word} needs a value`);
    add(name, given);
  }
  return image(undefined, flags);
}

function image(name: string | undefined, flags: DockerRun["flags"]): Result<DockerRun, string> {
  return name === undefined ? err("names no image") : ok({ image: name, flags });
}

interface Flag {
  readonly switches: readonly string[];
  /** The flag that takes a value. */
  readonly name?: string;
  /** The value where it stands in the same word. */
  readonly value?: string;
}

function readFlag(word: string): Flag {
  if (word.startsWith("--")) {
    const [, long = "", value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const name = LONG_NAMES[long] ?? long;
    if (value !== undefined) return { switches: [], name, value };
    return SWITCHES.has(name) ? { switches: [name] } : { switches: [], name };
  }
  // Letters may stand together, and the last one may have its value beside it: -dp8080:80
  const switches: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] ?? "";
    const name = LONG_NAMES[letter] ?? letter;
    if (!SWITCHES.has(name)) {
      const value = word.slice(at + 1).replace(/^=/, "");
      return value === "" ? { switches, name } : { switches, name, value };
    }
    switches.push(name);
  }
  return { switches };
}
