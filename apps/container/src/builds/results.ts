import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { BuildRequest } from "./builds.ts";

/** What a build gave, for one that is the same in everything. */
export interface BuildResult {
  readonly image: string;
  /** The ids of the images of other stages. */
  readonly stages: readonly string[];
  /** The steps and the ids that they gave, as they were told. */
  readonly lines: readonly string[];
}

/** Everything that a build's result depends on. */
export interface BuildInputs {
  /** The digest of the context's archive. */
  readonly context: string;
  readonly request: BuildRequest;
  /** The ids of the base images, by the names that the Dockerfile has. */
  readonly bases: Readonly<Record<string, string>>;
}

const RESULTS = "results";
const MOST_RESULTS = 200;
const STEP = /^Step \d+\/\d+ : (\S+)/;
const ID = /^ ---> [0-9a-f]{6,64}\n$/;

const form = z.object({ image: z.string(), stages: z.array(z.string()).default([]), lines: z.array(z.string()) });

function fileOf(cache: string, { context, request, bases }: BuildInputs): string {
  const { dockerfile, args, labels, target, platform, networkMode, extraHosts, resources } = request;
  const inputs = [context, bases, dockerfile, args, labels, target, platform, networkMode, extraHosts, resources];
  const key = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
  return join(cache, RESULTS, `${key}.json`);
}

/** The result of a build with the same inputs, if the cache has one. */
export async function findResult(cache: string, inputs: BuildInputs): Promise<BuildResult | undefined> {
  const text = await readFile(fileOf(cache, inputs), "utf8").catch(() => undefined);
  try {
    const parsed = form.safeParse(JSON.parse(text ?? "null"));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a result; the oldest of too many go. */
export async function keepResult(cache: string, inputs: BuildInputs, result: BuildResult): Promise<void> {
  const path = fileOf(cache, inputs);
  const folder = join(cache, RESULTS);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lines = result.lines.filter((line) => STEP.test(line) || ID.test(line));
  await writeFile(`${path}.part`, JSON.stringify({ ...result, lines }), { mode: 0o600 });
  await rename(`${path}.part`, path);
  const names = await readdir(folder);
  if (names.length <= MOST_RESULTS) return;
  const dated = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  for (const { name } of dated.sort((a, b) => a.at - b.at).slice(0, names.length - MOST_RESULTS))
    await rm(join(folder, name), { force: true });
}

/** Removes every result of a cache that loses entries. */
export async function forgetResults(cache: string): Promise<void> {
  await rm(join(cache, RESULTS), { recursive: true, force: true });
}

/** What a build that is not run again tells. */
export function cachedLines({ lines }: BuildResult): readonly string[] {
  return lines.flatMap((line) => {
    const keyword = STEP.exec(line)?.[1]?.toUpperCase() ?? "FROM";
    return keyword === "FROM" ? [line] : [line, " ---> Using cache\n"];
  });
}
