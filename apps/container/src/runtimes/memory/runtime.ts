import { rm } from "node:fs/promises";
import { PassThrough } from "node:stream";
import type { ContainerSpec, ExecSession, ExecSpec, Runtime, RuntimeEvent } from "../../containers/records/runtime.ts";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { memoryLog } from "./log.ts";
import { type MemoryProcess, startProcess } from "./process.ts";
import { changesOf, makeRoot, sizeOf, withView } from "./rootfs.ts";
import { memoryStats } from "./stats.ts";
import { type MemoryContainer, type MemoryWorld, memoryWorld, withFaults } from "./world.ts";

/**
 * A runtime that runs nothing: its programs are functions. It keeps the contract that all runtimes keep, at no cost, and fails
 * where and when `world.fault` says.
 */
export function memoryRuntime(world: MemoryWorld = memoryWorld()): Runtime {
  const { containers, programs, listeners } = world;

  const find = (id: ContainerId): MemoryContainer => {
    const found = containers.get(id);
    if (found === undefined) throw new EngineError("not-found", `no container ${id}`);
    return found;
  };

  const processOf = (id: ContainerId): MemoryProcess => {
    const { process } = find(id);
    if (process === undefined) throw new EngineError("not-found", `container ${id} has no running process`);
    return process;
  };

  const start = async (spec: ContainerSpec): Promise<{ readonly pid: number }> => {
    const container = find(spec.id);
    if (container.process !== undefined) throw new EngineError("conflict", `container ${spec.id} runs already`);
    const { log, stdin, execs } = container;
    log.begin();
    if (!spec.stdin) stdin.end();
    const over = () => {
      container.process = undefined;
      container.stdin = new PassThrough();
      log.end();
    };
    try {
      const process = await startProcess(spec, { programs, stdin, write: log.write });
      Object.assign(container, { process, resources: spec.resources });
      container.exit = process.exit.then((exitCode) => {
        for (const exec of execs.values()) exec.kill(9);
        over();
        return { exitCode, exitedAt: new Date().toISOString() };
      });
      return { pid: process.pid };
    } catch (thrown) {
      over();
      throw thrown;
    }
  };

  const exec = async (id: ContainerId, execId: string, spec: ExecSpec): Promise<ExecSession> => {
    processOf(id);
    const { execs } = find(id);
    const output = memoryLog();
    const stdin = new PassThrough();
    let heard = !spec.detached;
    output.begin();
    if (!spec.stdin) stdin.end();
    const write = (stream: "stdout" | "stderr", data: string | Buffer): void => {
      if (heard) output.write(spec.terminal ? "stdout" : stream, data);
    };
    const process = await startProcess(spec, { programs, stdin, write });
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
      kill: async () => process.kill(9),
      detach: () => {
        heard = false;
      },
    };
  };

  async function* events(signal: AbortSignal): AsyncGenerator<RuntimeEvent> {
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

  const runtime: Runtime = {
    name: "memory",
    version: async () => ({ name: "memory", version: "1", runc: "" }),
    create: async (id) => {
      if (containers.has(id)) return;
      const fresh = {
        log: memoryLog(),
        execs: new Map(),
        stdin: new PassThrough(),
        process: undefined,
        exit: undefined,
      };
      containers.set(id, { id, root: await makeRoot(), resources: {}, ...fresh });
    },
    start,
    wait: async (id, signal) => {
      const { exit } = find(id);
      if (exit === undefined) throw new EngineError("not-found", `container ${id} has no process`);
      const left = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      signal?.throwIfAborted();
      return await Promise.race([exit, left]);
    },
    kill: async (id, signal) => processOf(id).kill(signal),
    pause: async (id) => {
      processOf(id).paused = true;
    },
    resume: async (id) => {
      processOf(id).paused = false;
    },
    resize: async (id) => {
      processOf(id);
    },
    update: async (id, resources) => {
      processOf(id);
      find(id).resources = resources;
    },
    remove: async (id) => {
      const container = containers.get(id);
      if (container === undefined) return;
      container.process?.kill(9);
      await container.exit;
      containers.delete(id);
      container.log.begin();
      container.log.end();
      await rm(container.root, { recursive: true });
    },
    list: async () =>
      [...containers.values()].map(({ id, process }) => ({
        id,
        task: process && { status: process.paused ? ("paused" as const) : ("running" as const), pid: process.pid },
      })),

    output: (id, options) => containers.get(id)?.log.read(options) ?? memoryLog().read({ ...options, follow: false }),
    outputEnd: async (id) => find(id).log.position(),
    logPath: (id) => `/memory/${id}-json.log`,
    stdin: async (id) => {
      // One client that leaves is not the input's end.
      const writer = new PassThrough();
      writer.pipe(find(id).stdin);
      return writer;
    },

    exec,
    processes: async (id) => [processOf(id), ...find(id).execs.values()].map(({ pid }) => pid),
    stats: async (id) => {
      processOf(id);
      return memoryStats(find(id).resources);
    },
    events,
    usage: async (id) => ({ writable: await sizeOf(find(id).root) }),
    withRootfs: (id, use) => withView(find(id).root, use),
    withLayers: async (_layers, use) => {
      const root = await makeRoot();
      try {
        return await withView(root, use);
      } finally {
        await rm(root, { recursive: true });
      }
    },
    diff: (id) => changesOf(find(id).root),
    close: async () => {},
  };
  return withFaults(runtime, world);
}
