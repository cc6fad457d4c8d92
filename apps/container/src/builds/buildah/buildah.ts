import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { constants } from "node:fs";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { KeyedLock } from "../../engine/concurrency/keyed-lock.ts";
import { EngineError } from "../../engine/errors.ts";
import type { Log } from "../../engine/log.ts";
import type { Builder, BuilderJob, BuildFolders, BuildOutcome, FetchJob } from "../builder.ts";
import type { CacheEntry } from "../builds.ts";
import type { RemoteContext } from "../context/remote-url.ts";
import {
  buildCommand,
  CLEAN_COMMAND,
  evictCommand,
  FETCH_FILE_COMMAND,
  fetchRepositoryCommand,
  pushCommand,
  type StepLimits,
} from "./arguments.ts";
import { hasContainers, imagesEndingIn, imagesNamed, readEntries } from "./cache.ts";
import { createCgroup, removeCgroup } from "./cgroup.ts";
import { type StepDefaults, writeFetchFiles, writeFiles } from "./files.ts";
import { BuildahOutput, LineCutter, reasonOf } from "./output.ts";
import { CacheWriters } from "./writers.ts";

export interface BuildahOptions {
  readonly groups: {
    /** The control group of an owner, in which something starts. Throws `conflict` where its place is gone. */
    enter(owner: string): string;
    nameOf(owner: string): string;
  };
  /** `native/builder`. */
  readonly program: string;
  /** The door's socket. */
  readonly door: string;
  readonly steps: StepDefaults;
  readonly limits: StepLimits;
  readonly log: Log;
}

const ENVIRONMENT = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/var/tmp", TMPDIR: "/var/tmp", LANG: "C.UTF-8" };
const PROGRAM = "buildah";
const CLEAN_MS = 60_000;
const UNABLE = 200;

interface Run {
  readonly address: string;
  readonly network: string | undefined;
  readonly joins: readonly string[];
  readonly folders: BuildFolders;
  readonly configuration: string;
  readonly signal: AbortSignal;
  /** Further folders: source, target, `ro` or `rw`. */
  readonly mounts?: readonly (readonly string[])[];
}

type ReadOutput = (from: "stdout" | "stderr", line: string) => Promise<void>;

/** An address of loopback for each build: two builds may share the host's network. */
function doorAddress(): string {
  return `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}:5000`;
}

/** A process that was killed may still write, or hold a mount, for a moment. */
const WHOLLY = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/** Builds with Debian's buildah, in a root of its own that has nothing of the host but /usr. */
export class Buildah implements Builder {
  readonly #options: BuildahOptions;
  /** The address of the door in each build's network. */
  readonly #addresses = new WeakMap<BuilderJob, string>();
  readonly #cleaning = new KeyedLock<string>();
  readonly #writers = new CacheWriters();

  constructor(options: BuildahOptions) {
    this.#options = options;
  }

  async missing(): Promise<string | undefined> {
    const places = ENVIRONMENT.PATH.split(":").map((folder) => access(join(folder, PROGRAM), constants.X_OK));
    return Promise.any(places).then(
      () => undefined,
      () => PROGRAM,
    );
  }

  async build(job: BuilderJob, show: (line: string) => Promise<void>): Promise<BuildOutcome> {
    const { groups, steps, limits } = this.#options;
    const { folders, network, signal } = job;
    const address = doorAddress();
    this.#addresses.set(job, address);
    const configuration = await writeFiles(job, { address, steps });
    const cgroup = await createCgroup(groups.enter(job.owner), job.id, job.limits);
    const command = buildCommand(job, { cgroupParent: cgroup.parent, limits });
    const output = new BuildahOutput(job.steps);
    const run = { address, network: network.path, joins: cgroup.joins, folders, configuration, signal };
    const code = await this.#run(run, command, async (from, text) => {
      for (const line of output.read({ from, text })) await show(line);
    });
    signal.throwIfAborted();
    if (code === UNABLE) throw new Error(`native/builder failed: ${output.failure().message}`);
    if (code === 0) {
      for (const line of output.end()) await show(line);
      if (output.image !== undefined)
        return { kind: "built", image: output.image, stages: await imagesNamed(folders.cache, output.stages) };
    }
    const { message, ...rest } = output.failure();
    return { kind: "failed", failure: { ...rest, message: inPlainWords(message) } };
  }

  async fetch(job: FetchJob, remote: RemoteContext): Promise<void> {
    const { id, owner, folders, network, signal, folder } = job;
    const configuration = await writeFetchFiles(job, remote.kind === "file" ? remote.url : "", this.#options.steps);
    const { joins } = await createCgroup(this.#options.groups.enter(owner), id, job.limits);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const command = remote.kind === "file" ? FETCH_FILE_COMMAND : fetchRepositoryCommand(remote.url, remote.ref);
    const mounts = [[folder, "/build/fetched", "rw"]];
    const run = { address: doorAddress(), network: network.path, joins, folders, configuration, signal, mounts };
    let complaint = "";
    const code = await this.#run(run, command, async (from, text) => {
      if (from === "stderr") complaint = (complaint + text).slice(-1024);
    });
    signal.throwIfAborted();
    if (code === 0) return;
    const why = /sh: .*git: not found/.test(complaint)
      ? "git is not installed on this host"
      : inPlainWords(reasonOf(complaint));
    throw new EngineError("failed", `failed to fetch the context from ${remote.url}: ${why}`);
  }

  async push(job: BuilderJob, image: string): Promise<void> {
    const address = this.#addresses.get(job) ?? "";
    const { folders, network, signal } = job;
    const configuration = join(folders.work, "configuration");
    const { joins } = await createCgroup(this.#options.groups.enter(job.owner), job.id, job.limits);
    let complaint = "";
    const run = { address, network: network.path, joins, folders, configuration, signal };
    const code = await this.#run(run, pushCommand(image, address), async (from, text) => {
      if (from === "stderr") complaint = (complaint + text).slice(-1024);
    });
    signal.throwIfAborted();
    if (code !== 0)
      throw new EngineError("failed", `the image could not be taken from the builder: ${complaint.trim()}`);
  }

  async clear(id: string, owner: string, folders: BuildFolders): Promise<void> {
    await removeCgroup(this.#options.groups.nameOf(owner), id);
    await this.#clean(folders);
    await rm(folders.work, { recursive: true, force: true });
  }

  entries(cache: string): Promise<readonly CacheEntry[]> {
    return readEntries(cache);
  }

  /** Removes the containers of a build that did not end by itself. A cache that is damaged is given up as a whole. */
  async #clean(folders: BuildFolders): Promise<void> {
    // Builds of one owner that end together clean one cache.
    await this.#cleaning.hold(folders.cache, async () => {
      if (!(await hasContainers(folders.cache))) return;
      const complaint = await this.#runInCache(folders, CLEAN_COMMAND);
      if (complaint !== undefined) await this.#giveUp(folders.cache, complaint);
    });
  }

  async #giveUp(cache: string, complaint: string): Promise<void> {
    this.#options.log.warn({ cache, complaint }, "removed a damaged build cache");
    const aside = `${cache}.damaged`;
    await rm(aside, WHOLLY);
    await rename(cache, aside);
    await rm(aside, WHOLLY);
  }

  async evict(folders: BuildFolders, ids: ReadonlySet<string>): Promise<void> {
    const images = await imagesEndingIn(folders.cache, ids);
    const complaint = images.length === 0 ? undefined : await this.#runInCache(folders, evictCommand(images));
    await rm(folders.work, { recursive: true, force: true });
    if (complaint !== undefined)
      throw new EngineError("failed", `failed to prune a build cache: ${reasonOf(complaint)}`);
  }

  /** Runs a command on a cache alone. Returns what it complained of if it failed. */
  async #runInCache(folders: BuildFolders, command: readonly string[]): Promise<string | undefined> {
    const run = {
      address: doorAddress(),
      network: undefined,
      joins: [],
      folders,
      configuration: join(folders.work, "configuration"),
      signal: AbortSignal.timeout(CLEAN_MS),
    };
    let complaint = "";
    const code = await this.#run(run, command, async (_from, text) => {
      complaint = (complaint + text).slice(-1024);
    });
    return code === 0 ? undefined : complaint;
  }

  /** Runs a command in a root of its own, and gives its exit code once everything of it is gone. */
  #run(run: Run, command: readonly string[], read: ReadOutput): Promise<number | null> {
    const { cache } = run.folders;
    const giveUp = () => this.#giveUp(cache, "the power was lost before what was written was on the disk");
    return this.#writers.write(cache, giveUp, () => this.#runThere(run, command, read));
  }

  async #runThere(
    { address, network, joins, folders, configuration, signal, mounts: further = [] }: Run,
    command: readonly string[],
    read: ReadOutput,
  ): Promise<number | null> {
    const root = join(folders.work, "root");
    const tmp = join(folders.work, "tmp");
    for (const folder of [root, tmp, configuration, join(folders.cache, "library")])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    const mounts = [
      [configuration, "/etc/containers", "ro"],
      [join(configuration, "resolv.conf"), "/etc/resolv.conf", "ro"],
      [folders.context, "/build/context", "ro"],
      [folders.cache, "/build/cache", "rw"],
      // The places of blobs that were sent before.
      [join(folders.cache, "library"), "/var/lib/containers", "rw"],
      [tmp, "/var/tmp", "rw"],
      ...further,
    ];
    const args = [
      root,
      network ?? "-",
      address,
      this.#options.door,
      ...joins,
      "--",
      ...mounts.flat(),
      "--",
      ...command,
    ];
    const child = spawn(this.#options.program, args, { cwd: "/", env: ENVIRONMENT, stdio: ["ignore", "pipe", "pipe"] });
    const end = () => child.kill("SIGKILL");
    signal.addEventListener("abort", end, { once: true });
    try {
      if (signal.aborted) end();
      const closed = new Promise<number | null>((resolve, reject) => {
        child.once("error", (cause) =>
          reject(new EngineError("failed", "native/builder cannot be run: native/build.sh builds it", { cause })),
        );
        child.once("close", resolve);
      });
      const readers = [
        readLines(child.stdout, (line) => read("stdout", line)),
        readLines(child.stderr, (line) => read("stderr", line)),
      ];
      for (const reader of readers) reader.catch(end);
      const [code] = await Promise.all([closed, ...readers]);
      return code;
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  }
}

/** Without the builder's own paths, and what it calls its parts. */
function inPlainWords(message: string): string {
  return message
    .replace(/error during bulk transfer for copier\.request\{[\s\S]*\}: /, "")
    .replace(/copier: (get|stat): /g, "")
    .replaceAll("/build/context", "the build context");
}

async function readLines(stream: Readable, read: (line: string) => Promise<void>): Promise<void> {
  const cutter = new LineCutter();
  stream.setEncoding("utf8");
  for await (const text of stream as AsyncIterable<string>) for (const line of cutter.push(text)) await read(line);
  for (const line of cutter.end()) await read(line);
}
