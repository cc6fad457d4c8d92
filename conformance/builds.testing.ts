import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Berth } from "./berth.testing.ts";

interface Entry {
  readonly name: string;
  readonly content?: string;
  /** The type's letter in a tar: 0 file, 1 hard link, 2 symbolic link, 3 and 4 devices, 5 folder, 6 fifo. */
  readonly type?: string;
  readonly link?: string;
}

function octal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, "0")}\0`;
}

/** A tar of entries that no ordinary program would write. */
export function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, content = "", type = "0", link = "" }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write(octal(0o755, 8) + octal(0, 8) + octal(0, 8) + octal(bytes.length, 12) + octal(0, 12), 100);
    header.write("        ", 148);
    header.write(type + link, 156);
    header.write("ustar\x0000", 257);
    if (type === "3" || type === "4") header.write(octal(8, 8) + octal(0, 8), 329);
    header.write(
      octal(
        header.reduce((sum, byte) => sum + byte, 0),
        7,
      ),
      148,
    );
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** The context with a Dockerfile alone, and further entries. */
export function contextOf(dockerfile: string, ...entries: readonly Entry[]): Buffer {
  return tarOf([{ name: "Dockerfile", content: dockerfile }, ...entries]);
}

export interface Built {
  readonly status: number;
  /** All that steps and builder told. */
  readonly text: string;
  /** The error, of the stream or of the answer; undefined for none. */
  readonly error: string | undefined;
  readonly code: number | undefined;
  readonly id: string | undefined;
}

interface Line {
  readonly stream?: string;
  readonly aux?: { readonly ID: string };
  readonly errorDetail?: { readonly message: string; readonly code?: number };
}

/** Builds over the API. */
export async function build(berth: Pick<Berth, "ask">, context: Buffer, query = ""): Promise<Built> {
  const { status, text } = await berth.ask("POST", `/v1.41/build?${query}`, {
    body: context,
    headers: { "content-type": "application/x-tar" },
    timeout: 60_000,
  });
  if (status !== 200) return { status, text: "", error: JSON.parse(text).message, code: undefined, id: undefined };
  const lines: readonly Line[] = text
    .split("\r\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const failure = lines.find(({ errorDetail }) => errorDetail !== undefined)?.errorDetail;
  return {
    status,
    text: lines.map(({ stream = "" }) => stream).join(""),
    error: failure?.message,
    code: failure?.code,
    id: lines.find(({ aux }) => aux?.ID !== undefined)?.aux?.ID,
  };
}

function tryList(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What builds left on the host: folders of builds, mounts, control groups, namespaces. Caches stay. */
export function leftOfBuilds({ state, instance }: Pick<Berth, "state" | "instance">): readonly string[] {
  const builds = join(state, "builds");
  const folders = tryList(builds).flatMap((owner) => tryList(join(builds, owner)).filter((name) => name !== "cache"));
  const mounts = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .filter((line) => line.includes(`${builds}/`));
  const groups = ["", ...tryList("/sys/fs/cgroup")].flatMap((controller) =>
    tryList(join("/sys/fs/cgroup", controller, instance)).filter((name) => name.startsWith("build-")),
  );
  return [...folders, ...mounts, ...groups];
}
