import type { Step } from "../dockerfile/plan.ts";

/** A line of the builder: what it says is one thing, what a step writes to standard error another. */
export interface BuilderLine {
  readonly from: "stdout" | "stderr";
  /** With its end, if it has one. */
  readonly text: string;
}

/** The stage's number, where there are several, and the keyword. */
const STEP = /^(?:\[(\d+)\/\d+\] )?STEP \d+\/\d+: ([A-Z]+)/;
const LAYER = /^--> ([0-9a-f]{11,64})\n?$/;
const CACHED = /^--> Using cache ([0-9a-f]{64})\n?$/;
const COMMITTED = /^(?:\[(\d+)\/\d+\] )?COMMIT(?: \S+)?\n?$/;
/** What a step printed at last without a line's end, and buildah's line behind it. */
const RUN_ON = /^(.+?)((?:--> (?:Using cache )?[0-9a-f]{11,64}|(?:\[\d+\/\d+\] )?COMMIT(?: \S+)?)\n)$/;
const IMAGE_ID = /^([0-9a-f]{64})\n?$/;
/** What it tells of the transfer of a base image; the door tells more. */
const TRANSFER =
  /^(?:Trying to pull |Getting image source signatures|Copying (?:blob|config) |Writing manifest to image destination|Storing signatures)/;
const COMPLAINT = /^(?:Error: |error |time=")/;
const STEP_FAILURE = /while running runtime: exit status (\d+)/;

const RED = "\u001b[91m";
const PLAIN = "\u001b[0m";

function shortId(id: string): string {
  return id.slice(0, 12);
}

/** Shell form or exec form, as dockerd names a command that failed. */
function commandOf(step: Step | undefined): string {
  const rest = step?.instruction.rest ?? "";
  try {
    const words: unknown = rest.startsWith("[") ? JSON.parse(rest) : undefined;
    if (Array.isArray(words)) return words.join(" ");
  } catch {
    // Not the exec form after all.
  }
  return `/bin/sh -c ${rest}`;
}

/** The reason in what buildah or Git complained of at last. */
export function reasonOf(complaint: string): string {
  const [last = ""] = complaint.trimEnd().split("\n").slice(-1);
  return last.replace(/^Error: /, "").replace(/^building at STEP "[\s\S]*?": /, "");
}

/**
 * Turns buildah's output into the lines of dockerd's classic builder. A step of a build can imitate any line: what it shows is shown
 * to its own client alone, and nothing is decided by it.
 */
export class BuildahOutput {
  readonly #steps: readonly Step[];
  /** The steps that were not shown yet, by their place, of each stage: buildah changes between stages where one waits. */
  readonly #waiting: number[][] = [];
  #current: Step | undefined;
  #held = "";
  #image: string | undefined;
  #committed = false;
  /** The id of the newest layer, as far as buildah told it. */
  #layer = "";
  /** All of them: a stage that the image does not need may go on after the image's own. */
  readonly #layers: string[] = [];
  #stage = 0;
  /** The newest layer of each stage, by the stage's place. */
  readonly #ends: string[] = [];

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    let stages = 0;
    for (const [at, { instruction }] of steps.entries()) {
      if (instruction.keyword === "FROM") stages++;
      // What comes before the first FROM goes with its stage.
      const stage = Math.max(stages - 1, 0);
      this.#waiting[stage] = [...(this.#waiting[stage] ?? []), at];
    }
  }

  /** The id of the image that was built: the last line of a build that succeeded. */
  get image(): string | undefined {
    return this.#image === undefined ? undefined : `sha256:${this.#image}`;
  }

  /** The first digits of the ids of other stages' images, in the stages' order. */
  get stages(): readonly string[] {
    return this.#ends.filter((layer) => this.#image?.startsWith(layer) !== true);
  }

  /** The step that runs. */
  get current(): Step | undefined {
    return this.#current;
  }

  /** What to show for a line. */
  read({ from, text }: BuilderLine): readonly string[] {
    if (from === "stderr") return this.#readError(text);
    const shown = this.#announced(text);
    if (shown !== undefined) return shown;
    const [, printed, own = ""] = RUN_ON.exec(text) ?? [];
    if (printed !== undefined) return [printed, ...(this.#announced(own) ?? [])];
    const named = IMAGE_ID.exec(text)?.[1];
    const id = this.#layers.some((layer) => named?.startsWith(layer)) ? named : undefined;
    const before = this.#image === undefined ? [] : [`${this.#image}\n`];
    this.#image = id;
    return id === undefined ? [...before, text] : before;
  }

  /** What to show at the end of a build that succeeded. */
  end(): readonly string[] {
    const held = this.#held;
    this.#held = "";
    return held === "" ? [] : [`${RED}${held}${PLAIN}`];
  }

  /** Why the builder failed, with the exit code where a command did. */
  failure(): { readonly message: string; readonly code?: number } {
    const [, code] = STEP_FAILURE.exec(this.#held) ?? [];
    if (code !== undefined)
      return {
        message: `The command '${commandOf(this.#current)}' returned a non-zero code: ${code}`,
        code: Number(code),
      };
    const reason = reasonOf(this.#held);
    return { message: reason === "" ? "the builder ended without a word" : reason };
  }

  /** A line of buildah's own, in dockerd's words; undefined for a line of a step. */
  #announced(text: string): readonly string[] | undefined {
    const [, stage = "1", keyword] = STEP.exec(text) ?? [];
    if (keyword !== undefined) return this.#begin(Number(stage) - 1, keyword, text);
    const cached = CACHED.exec(text)?.[1];
    if (cached !== undefined) {
      this.#addLayer(cached);
      return [" ---> Using cache\n", ` ---> ${shortId(cached)}\n`];
    }
    const layer = LAYER.exec(text)?.[1];
    if (layer !== undefined) {
      const isTold = this.#committed || this.#layer.startsWith(layer);
      this.#addLayer(layer);
      return isTold ? [] : [` ---> ${shortId(layer)}\n`];
    }
    const [committed, of] = COMMITTED.exec(text) ?? [];
    if (committed === undefined) return undefined;
    if (of !== undefined) this.#stage = Number(of) - 1;
    this.#committed = true;
    return [];
  }

  #addLayer(id: string): void {
    this.#layer = id;
    this.#layers.push(id);
    this.#ends[this.#stage] = id;
  }

  /** Steps that buildah does not count, such as an ARG before the first FROM, are shown on the way. */
  #begin(stage: number, keyword: string, text: string): readonly string[] {
    this.#committed = false;
    this.#layer = "";
    this.#stage = stage;
    const waiting = this.#waiting[stage] ?? [];
    const keywordOf = (at: number) => this.#steps[at]?.instruction.keyword;
    const found = waiting.findIndex((at) => keywordOf(at) === keyword);
    // A trigger of the base image is a step that the Dockerfile does not have.
    if (found < 0 || waiting.slice(0, found).some((at) => keywordOf(at) !== "ARG"))
      return [`# Executing build trigger: ${text.slice(text.indexOf(": ") + 2)}`];
    const shown = waiting.splice(0, found + 1);
    this.#current = this.#steps[shown.at(-1) ?? 0];
    return shown.map((at) => `Step ${at + 1}/${this.#steps.length} : ${this.#steps[at]?.instruction.text}\n`);
  }

  #readError(text: string): readonly string[] {
    const before = this.end();
    if (COMPLAINT.test(text)) {
      this.#held = text;
      return before;
    }
    if (TRANSFER.test(text) && this.#current?.instruction.keyword !== "RUN") return before;
    return [...before, `${RED}${text}${PLAIN}`];
  }
}

const MAX_LINE = 16 << 10;

/**
 * Cuts a stream into lines, each with its end, so that a line goes out in one piece. A carriage return ends one too, and a line is
 * passed on in parts where it is longer than 16 KiB.
 */
export class LineCutter {
  #rest = "";

  push(text: string): readonly string[] {
    const pieces = (this.#rest + text).split(/(?<=[\n\r])(?!(?<=\r)\n)/);
    this.#rest = "";
    const last = pieces.at(-1) ?? "";
    if (!/[\n\r]$/.test(last) && last.length < MAX_LINE) this.#rest = pieces.pop() ?? "";
    return pieces.filter((piece) => piece !== "");
  }

  end(): readonly string[] {
    const rest = this.#rest;
    this.#rest = "";
    return rest === "" ? [] : [rest];
  }
}
