import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { extract, type Header, pack } from "tar-stream";
import type { Archives } from "../containers/archive/archives.ts";
import { createArchives } from "../containers/archive/archives-service.ts";
import type { ArchiveFiles } from "../containers/archive/files.ts";
import type { Context } from "../containers/context.ts";
import { Supervisor } from "../containers/lifecycle/supervisor.ts";
import { memoryContext, Rows } from "../containers/memory-context.testing.ts";
import { someContainer } from "../containers/records/container.testing.ts";
import type { Container, MountPoint } from "../containers/records/container.ts";
import { Registry } from "../containers/records/registry.ts";
import type { Runtime, SpecMount } from "../containers/records/runtime.ts";
import { CREATED, started } from "../containers/records/state.ts";
import type { ContainerId } from "../engine/ids.ts";
import { withCalls } from "../engine/with-calls.testing.ts";
import { createContainerFiles } from "../host/container-files.ts";
import { NATIVE_DIR } from "../host/native-dir.ts";
import { AMPLE_QUOTA } from "../images/disk-quota.testing.ts";
import { busyboxLayers } from "../runtimes/containerd/busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "../runtimes/containerd/containerd.testing.ts";
import { mountPointsUnder } from "../runtimes/containerd/rootfs/mount.ts";
import { openContainerdRuntime } from "../runtimes/containerd/runtime.ts";
import { specOf } from "../runtimes/contract.testing.ts";
import { createArchiveFiles } from "./in-rootfs.ts";

export const ADMINISTRATOR = { kind: "administrator", id: undefined, login: "root" } as const;

/** A containerd of its own, with the archive use cases over it. */
export interface ArchiveSubject {
  readonly archives: Archives;
  /** The same with some of the runtime replaced. */
  archivesWith(faults: Partial<Runtime>): Archives;
  readonly files: ArchiveFiles;
  readonly runtime: Runtime;
  readonly registry: Registry;
  readonly context: Omit<Context, "health">;
  readonly containerd: TestContainerd["containerd"];
  /** A folder of the host, beside everything that containers have. */
  readonly dir: string;
  readonly events: string[];
  create(more?: Partial<Container>): Promise<Container>;
  /** Runs the command, with the container's mounts. */
  start(container: Container, args: readonly string[]): Promise<void>;
  /** Runs a shell's script in a new run of the container, to its end. */
  run(container: Container, script: string): Promise<void>;
  /** The mounts that reading and writing left behind. */
  leftovers(): Promise<readonly string[]>;
  /** Removes the containers. */
  clear(): Promise<void>;
  dispose(): Promise<void>;
}

export async function openArchiveSubject(): Promise<ArchiveSubject> {
  const dir = await mkdtemp(join(tmpdir(), "berth-archives-"));
  const test = await startTestContainerd();
  const layers = await busyboxLayers(test.containerd);
  const runtime = await openContainerdRuntime(test);
  const registry = new Registry(new Rows());
  const files = createContainerFiles(join(dir, "containers"));
  const events: string[] = [];
  const base = await memoryContext(dir, {
    registry,
    runtime,
    files,
    events: { emit: ({ action }) => events.push(action) },
  });
  const context = { ...base, supervisor: new Supervisor(runtime, { exit: async () => {}, fault: () => {} }) };
  const archiveFiles = createArchiveFiles(join(NATIVE_DIR, "in-rootfs"), AMPLE_QUOTA);
  const archivesWith = (faults: Partial<Runtime>): Archives =>
    createArchives({ ...context, runtime: withCalls(runtime, faults) }, archiveFiles);

  const start = async (container: Container, args: readonly string[]): Promise<void> => {
    const { id, mounts, hostConfig } = container;
    await files.write(id, { hosts: "127.0.0.1\tlocalhost\n", hostname: "berth\n", resolvConf: "" });
    const own = files.paths(id);
    const mount = (source: string, target: string, readonly = false): SpecMount => ({
      kind: "bind",
      source,
      target,
      readonly,
      propagation: "rprivate",
      recursive: true,
    });
    await runtime.start(
      specOf({
        id,
        args,
        readonlyRootfs: hostConfig.ReadonlyRootfs,
        mounts: [
          mount(own.hosts, "/etc/hosts"),
          mount(own.hostname, "/etc/hostname"),
          mount(own.resolvConf, "/etc/resolv.conf"),
          ...mounts
            .filter(({ type }) => type !== "image")
            .map(({ source, destination, readWrite }) => mount(source, destination, !readWrite)),
        ],
      }),
    );
    await registry.update(id, (before) => ({ ...before, state: started(CREATED, { pid: 1, at: "" }) }));
  };

  return {
    archives: archivesWith({}),
    archivesWith,
    files: archiveFiles,
    runtime,
    registry,
    context,
    containerd: test.containerd,
    dir,
    events,
    create: async (more = {}) => {
      const id = randomBytes(32).toString("hex") as ContainerId;
      const container = someContainer({ id, layers, name: id.slice(0, 8), ...more });
      await runtime.create(id, container.layers, {
        mounted: container.mounts.flatMap(({ image }) => image?.layers ?? []),
      });
      await registry.insert(container, { kind: "create" });
      return container;
    },
    start,
    run: async (container, script) => {
      await start(container, ["sh", "-c", script]);
      const { exitCode } = await runtime.wait(container.id);
      if (exitCode !== 0) throw new Error(`the script ended with ${exitCode}`);
      await registry.update(container.id, (before) => ({ ...before, state: CREATED }));
    },
    leftovers: () => mountPointsUnder(join(test.runDir, "mounts")),
    clear: async () => {
      for (const { id } of registry.all()) {
        await runtime.remove(id);
        await registry.delete(id);
      }
      events.splice(0);
    },
    dispose: async () => {
      await runtime.close();
      await test.dispose();
      await rm(dir, { recursive: true });
    },
  };
}

export interface TestEntry extends Partial<Header> {
  readonly name: string;
  readonly pax?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly bytes?: Buffer;
}

/** A tar with these entries. */
export function tarOf(entries: readonly TestEntry[]): Readable {
  const tar = pack();
  for (const { text, bytes, ...header } of entries) tar.entry(header, bytes ?? text ?? "");
  tar.finalize();
  return Readable.from(tar);
}

export interface ReadEntry {
  readonly header: Header & { readonly pax?: Readonly<Record<string, string>> | null };
  readonly text: string;
}

/** The entries of a tar, in their order. */
export async function entriesOf(archive: Readable): Promise<readonly ReadEntry[]> {
  const tar = extract();
  archive.once("error", (error) => tar.destroy(error));
  archive.pipe(tar);
  const entries: ReadEntry[] = [];
  for await (const entry of tar)
    entries.push({ header: entry.header as ReadEntry["header"], text: String(await buffer(entry)) });
  return entries;
}

export async function makeFolder(...parts: readonly string[]): Promise<string> {
  const path = join(...parts);
  await mkdir(path, { recursive: true });
  return path;
}

export function bind(source: string, destination: string, more: Partial<MountPoint> = {}): MountPoint {
  return {
    type: "bind",
    source,
    destination,
    mode: "",
    readWrite: true,
    propagation: "",
    ...more,
  };
}
