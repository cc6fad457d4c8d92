import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../../../host/run-program.ts";
import type { Any } from "../client/protos.ts";

/** What containerd starts a task with: a shim, by name or path, and its options. */
export interface TaskRuntime {
  readonly name: string;
  readonly options: Any | null;
}

/** containerd's own shim, which finds runc by PATH. */
export const PLAIN_RUNTIME: TaskRuntime = { name: "io.containerd.runc.v2", options: null };

const SHIM = "containerd-shim-berth-v2";
const RUNC = "runc";

/** The versions of which the shim's `start` is known to be what `native/containerd-shim-berth-v2.c` does. */
const KNOWN_VERSIONS = /^v?1\.[67]\./;

/** Whether a record of containerd's has that runtime. */
export function isSameRuntime(recorded: TaskRuntime | null, { name, options }: TaskRuntime): boolean {
  if (recorded?.name !== name) return false;
  const bytesOf = (any: Any | null) => Buffer.from(any?.value ?? []);
  return bytesOf(recorded.options).equals(bytesOf(options));
}

const PROBE_TIMEOUT_MS = 10_000;

/**
 * Copies Berth's shim and runc into the folder, which start a process in less time, and hand all else over to containerd's and to runc.
 * containerd writes down the shim's path for each task, and gives up a task whose shim is gone when it starts again: so the folder has to
 * stay where it is for as long as the instance has containers, whichever release of Berth runs.
 *
 * @param options.version containerd's; of one that is not known, the runtime is the plain one.
 * @throws where the programs cannot be copied, or do not run from that folder.
 */
export async function installTaskRuntime(
  folder: string,
  { nativeDir, version }: { readonly nativeDir: string; readonly version: string },
): Promise<TaskRuntime> {
  if (!KNOWN_VERSIONS.test(version)) return PLAIN_RUNTIME;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [shim, runc] = await Promise.all([
    installProgram(join(nativeDir, SHIM), join(folder, SHIM), "-v"),
    installProgram(join(nativeDir, RUNC), join(folder, RUNC), "--version"),
  ]);
  return { name: shim, options: shimOptions(runc) };
}

/** Renamed into place, because a running program cannot be written to. Runs it once: the file system may be mounted `noexec`. */
async function installProgram(source: string, target: string, probe: string): Promise<string> {
  const part = `${target}.part`;
  try {
    await copyFile(source, part);
    await runProgram(part, [probe], { timeout: PROBE_TIMEOUT_MS });
    await rename(part, target);
  } finally {
    await rm(part, { force: true });
  }
  return target;
}

/** containerd's `containerd.runc.v1.Options` with its field 6, `binary_name`. */
function shimOptions(runc: string): Any {
  const path = Buffer.from(runc);
  const tag = (6 << 3) | 2;
  return {
    type_url: "containerd.runc.v1.Options",
    value: Buffer.concat([Buffer.from([tag, ...varint(path.length)]), path]),
  };
}

/** A number as protobuf has it: seven bits a byte, the lowest first. */
function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
