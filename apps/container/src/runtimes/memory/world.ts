import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { PassThrough } from "node:stream";
import type { Exit, Runtime, RuntimeEvent, SpecResources } from "../../containers/records/runtime.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { MemoryLog } from "./log.ts";
import type { MemoryProcess } from "./process.ts";
import type { Program } from "./programs.ts";

export interface MemoryContainer {
  readonly id: ContainerId;
  readonly root: string;
  readonly log: MemoryLog;
  readonly execs: Map<string, MemoryProcess>;
  /** Of the process that runs, or of the next one. */
  stdin: PassThrough;
  process: MemoryProcess | undefined;
  exit: Promise<Exit> | undefined;
  resources: SpecResources;
}

export type MemoryCall = Exclude<keyof Runtime, "name">;

/** What outlives a runtime object, as the machine outlives our process. */
export interface MemoryWorld {
  readonly containers: Map<ContainerId, MemoryContainer>;
  /** Added to the built-in ones. */
  readonly programs: Readonly<Record<string, Program>>;
  /** Where root file systems are made, which is there. */
  readonly folder: string;
  /** The listeners of `events`. */
  readonly listeners: Set<(event: RuntimeEvent) => void>;
  /** Asked before every call, with its first argument: what it throws, the call throws. */
  fault: (call: MemoryCall, subject: unknown) => void;
}

export function memoryWorld(programs: Readonly<Record<string, Program>> = {}, folder: string = tmpdir()): MemoryWorld {
  return {
    containers: new Map(),
    programs,
    folder,
    listeners: new Set(),
    fault: () => {},
  };
}

/** Ends all that runs in it, and takes its folders away. */
export async function endWorld({ containers }: MemoryWorld): Promise<void> {
  for (const { process, exit, root } of containers.values()) {
    process?.kill(9);
    await exit;
    await rm(root, { recursive: true, force: true });
  }
  containers.clear();
}

const SYNCHRONOUS: ReadonlySet<string | symbol> = new Set(["output", "events", "logPath"]);

/** The same runtime, but each call fails where `world.fault` says so. */
export function withFaults(runtime: Runtime, world: MemoryWorld): Runtime {
  return new Proxy(runtime, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const call = (...args: unknown[]): unknown => {
        world.fault(name as MemoryCall, args[0]);
        return Reflect.apply(value, target, args);
      };
      return SYNCHRONOUS.has(name) ? call : async (...args: unknown[]) => await call(...args);
    },
  });
}
