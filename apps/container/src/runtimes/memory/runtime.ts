import { rm } from "node:fs/promises";
import { PassThrough, type Writable } from "node:stream";
import type {
  ContainerSpec,
  ExecSession,
  ExecSpec,
  Exit,
  LayerPath,
  Output,
  OutputChunk,
  OutputOptions,
  OutputPosition,
  Runtime,
  RuntimeContainer,
  RuntimeEvent,
  SpecResources,
} from "../../containers/records/runtime.ts";
import type { RuntimeStats } from "../../containers/records/runtime-stats.ts";
import { SIGKILL } from "../../containers/records/signals.ts";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { diskUsage } from "../../host/content-size.ts";
import type { LayerTar } from "../../images/images.ts";
import { memoryLog } from "./log.ts";
import { checkUser, type MemoryProcess, startProcess } from "./process.ts";
import { changesOf, makeRoot, pathsOf, sizeOf, withView } from "./rootfs.ts";
import { memoryStats } from "./stats.ts";
import { type MemoryContainer, type MemoryWorld, memoryWorld, withFaults } from "./world.ts";

/**
 * A runtime that runs nothing: its programs are functions. It keeps the contract that all runtimes keep, at no cost, and fails
 * where and when `world.fault` says.
 */
export function memoryRuntime(world: MemoryWorld = memoryWorld()): Runtime {
  return withFaults(new MemoryRuntime(world), world);
}

class MemoryRuntime implements Runtime {
  readonly name = "memory";
  readonly #world: MemoryWorld;

  constructor(world: MemoryWorld) {
    this.#world = world;
  }

  async version() {
    return { name: "memory", version: "1", runc: "" };
  }

  async create(id: ContainerId): Promise<void> {
    const { containers } = this.#world;
    if (containers.has(id)) return;
    const fresh = { log: memoryLog(), execs: new Map(), stdin: new PassThrough(), process: undefined, exit: undefined };
    containers.set(id, { id, root: await makeRoot(this.#world.folder), resources: {}, ...fresh });
  }

  async start(spec: ContainerSpec): Promise<{ readonly pid: number }> {
    const container = this.#find(spec.id);
    if (container.process !== undefined) throw new EngineError("conflict", `container ${spec.id} is already running`);
    const { log, stdin, execs } = container;
    log.begin();
    if (!spec.stdin) stdin.end();
    const over = () => {
      container.process = undefined;
      container.stdin = new PassThrough();
      log.end();
    };
    try {
      const process = await startProcess(spec, { programs: this.#world.programs, stdin, write: log.write });
      Object.assign(container, { process, resources: spec.resources });
      container.exit = process.exit.then((exitCode) => {
        for (const exec of execs.values()) exec.kill(SIGKILL);
        over();
        return { exitCode, exitedAt: new Date().toISOString() };
      });
      return { pid: process.pid };
    } catch (thrown) {
      over();
      throw thrown;
    }
  }

  async wait(id: ContainerId, signal?: AbortSignal): Promise<Exit> {
    const { exit } = this.#find(id);
    if (exit === undefined) throw new EngineError("not-found", `container ${id} has no process`);
    const left = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    signal?.throwIfAborted();
    return await Promise.race([exit, left]);
  }

  async kill(id: ContainerId, signal: number): Promise<void> {
    this.#processOf(id).kill(signal);
  }

  async pause(id: ContainerId): Promise<void> {
    this.#processOf(id).paused = true;
  }

  async resume(id: ContainerId): Promise<void> {
    this.#processOf(id).paused = false;
  }

  async resize(id: ContainerId): Promise<void> {
    this.#processOf(id);
  }

  async update(id: ContainerId, resources: SpecResources): Promise<void> {
    this.#processOf(id);
    this.#find(id).resources = resources;
  }

  async remove(id: ContainerId): Promise<void> {
    const { containers } = this.#world;
    const container = containers.get(id);
    if (container === undefined) return;
    container.process?.kill(SIGKILL);
    await container.exit;
    containers.delete(id);
    container.log.begin();
    container.log.end();
    await rm(container.root, { recursive: true });
  }

  async list(): Promise<readonly RuntimeContainer[]> {
    return [...this.#world.containers.values()].map(({ id, process }) => ({
      id,
      task: process && { status: process.paused ? ("paused" as const) : ("running" as const), pid: process.pid },
    }));
  }

  output(id: ContainerId, options: OutputOptions): Output<OutputChunk> {
    return this.#world.containers.get(id)?.log.read(options) ?? memoryLog().read({ ...options, follow: false });
  }

  async outputEnd(id: ContainerId): Promise<OutputPosition> {
    return this.#find(id).log.position();
  }

  logPath(id: ContainerId): string {
    return `/memory/${id}-json.log`;
  }

  async stdin(id: ContainerId): Promise<Writable> {
    // One client that leaves is not the input's end.
    const writer = new PassThrough();
    writer.pipe(this.#find(id).stdin);
    return writer;
  }

  async exec(id: ContainerId, execId: string, spec: ExecSpec): Promise<ExecSession> {
    this.#processOf(id);
    const { execs } = this.#find(id);
    const output = memoryLog();
    const stdin = new PassThrough();
    let heard = !spec.detached;
    output.begin();
    if (!spec.stdin) stdin.end();
    const write = (stream: "stdout" | "stderr", data: string | Buffer): void => {
      if (heard) output.write(spec.terminal ? "stdout" : stream, data);
    };
    const process = await startProcess(spec, { programs: this.#world.programs, stdin, write });
    execs.set(execId, process);
    return {
      pid: process.pid,
      stdin: spec.stdin ? stdin : undefined,
      output: output.read({ stdout: true, stderr: true, follow: true }),
      resize: async () => {},
      exit: process.exit.then((exitCode) => {
        execs.delete(execId);
        output.end();
        return { exitCode };
      }),
      kill: async () => process.kill(SIGKILL),
      detach: () => {
        heard = false;
      },
    };
  }

  async assertUser(id: ContainerId, user: string): Promise<void> {
    this.#processOf(id);
    checkUser(user);
  }

  async processes(id: ContainerId): Promise<readonly number[]> {
    return [this.#processOf(id), ...this.#find(id).execs.values()].map(({ pid }) => pid);
  }

  async stats(id: ContainerId): Promise<RuntimeStats> {
    this.#processOf(id);
    return memoryStats(this.#find(id).resources);
  }

  async *events(signal: AbortSignal): AsyncGenerator<RuntimeEvent> {
    const { listeners } = this.#world;
    const queue: RuntimeEvent[] = [];
    let wake = () => {};
    const listener = (event: RuntimeEvent) => {
      queue.push(event);
      wake();
    };
    const abort = () => wake();
    listeners.add(listener);
    signal.addEventListener("abort", abort);
    try {
      while (!signal.aborted) {
        const event = queue.shift();
        if (event !== undefined) {
          yield event;
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      listeners.delete(listener);
      signal.removeEventListener("abort", abort);
    }
  }

  async usage(id: ContainerId): Promise<{ readonly writable: number }> {
    return { writable: await sizeOf(this.#find(id).root) };
  }

  async diskUsage(id: ContainerId): Promise<number> {
    return await diskUsage(this.#find(id).root);
  }

  async withRootfs<T>(id: ContainerId, use: (path: string) => Promise<T>): Promise<T> {
    return await withView(this.#find(id).root, use);
  }

  async withBase<T>(_id: ContainerId, use: (path: string) => Promise<T>): Promise<T> {
    const root = await makeRoot(this.#world.folder);
    try {
      return await withView(root, use);
    } finally {
      await rm(root, { recursive: true });
    }
  }

  async changedPaths(id: ContainerId): Promise<readonly LayerPath[]> {
    return await pathsOf(this.#find(id).root);
  }

  async diff(id: ContainerId): Promise<LayerTar> {
    return await changesOf(this.#find(id).root);
  }

  async close(): Promise<void> {}

  #find(id: ContainerId): MemoryContainer {
    const found = this.#world.containers.get(id);
    if (found === undefined) throw new EngineError("not-found", `no container ${id}`);
    return found;
  }

  #processOf(id: ContainerId): MemoryProcess {
    const { process } = this.#find(id);
    if (process === undefined) throw new EngineError("not-found", `container ${id} has no running process`);
    return process;
  }
}
