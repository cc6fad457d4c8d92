import { Readable } from "node:stream";
import { pack } from "tar-stream";
import type { EngineEvent } from "../events/events.ts";
import { startTestContainerd } from "../runtimes/containerd/containerd.testing.ts";
import { containerdImageStore } from "../runtimes/containerd/images/image-store.ts";
import type { ImageContext } from "./context.ts";
import { AMPLE_QUOTA } from "./disk-quota.testing.ts";
import type { DiskQuota } from "./disk-quota.ts";
import type { Images, Progress } from "./images.ts";
import { imagesOf, openImageContext } from "./images-service.ts";
import { platformOf } from "./manifest/platform.ts";
import type { RegistryConfig } from "./registry/endpoints.ts";
import { openRegistry } from "./registry/registry.ts";
import type { ImageStore } from "./store.ts";

export interface TestImages {
  readonly images: Images;
  readonly context: ImageContext;
  readonly store: ImageStore;
  readonly containerd: Awaited<ReturnType<typeof startTestContainerd>>["containerd"];
  /** `ACTION NAME` of each event so far. */
  readonly events: readonly string[];
  /** The attributes of each event, with its action. */
  readonly attributes: readonly Readonly<Record<string, string>>[];
  readonly warnings: readonly string[];
  /** The same store opened again, as after a restart. */
  reopen(): Promise<Images>;
  /** The same, as the context of use cases. */
  reopenContext(): Promise<ImageContext>;
  dispose(): Promise<void>;
}

/** The image service over its own containerd. */
export async function startTestImages(
  config: Partial<RegistryConfig> = {},
  quota: DiskQuota = AMPLE_QUOTA,
): Promise<TestImages> {
  const daemon = await startTestContainerd();
  const { containerd } = daemon;
  const store = containerdImageStore(containerd, quota);
  const registry = openRegistry({ mirrors: [], insecure: [], ...config, retry: { attempts: 5, delayMs: 1 } });
  const events: string[] = [];
  const attributes: Readonly<Record<string, string>>[] = [];
  const warnings: string[] = [];
  const emit = ({ action, actor }: Omit<EngineEvent, "time">) => {
    events.push(`${action} ${actor.attributes.name}`);
    attributes.push({ action, ...actor.attributes });
  };
  const open = (): Promise<ImageContext> =>
    openImageContext({
      store,
      registry,
      events: { emit },
      platform: platformOf(process.arch),
      concurrency: 3,
      quota,
      warn: (message) => warnings.push(message),
    });
  const context = await open();
  return {
    images: imagesOf(context),
    context,
    store,
    containerd,
    events,
    attributes,
    warnings,
    reopen: async () => imagesOf(await open()),
    reopenContext: open,
    dispose: async () => {
      await registry.close();
      await daemon.dispose();
    },
  };
}

export type TarFiles = Readonly<
  Record<string, string | Buffer | { readonly symlink: string } | { readonly hardlink: string }>
>;

/** A tar of the given files. */
export async function tarOf(files: TarFiles): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === "string" || Buffer.isBuffer(content)) tar.entry({ name, mtime: new Date(0) }, content);
    else if ("symlink" in content) tar.entry({ name, type: "symlink", linkname: content.symlink });
    else tar.entry({ name, type: "link", linkname: content.hardlink });
  }
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

/** Bytes in chunks, as an upload sends them. */
export function streamOf(bytes: Uint8Array, pieceBytes = 64 << 10): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    })(),
  );
}

export async function gather<T>(lines: AsyncIterable<T>): Promise<readonly T[]> {
  const gathered: T[] = [];
  for await (const line of lines) gathered.push(line);
  return gathered;
}

/** The `stream` and `status` lines of a stream and its error, without the amounts. */
export function wordsOf(lines: readonly Progress[]): readonly string[] {
  return lines
    .filter(({ progress }) => progress === undefined)
    .map(({ stream, status, id, error }) =>
      error !== undefined
        ? `error: ${error}`
        : (stream?.trimEnd() ?? `${id === undefined ? "" : `${id}: `}${status ?? ""}`),
    );
}

export const NEVER = new AbortController().signal;

/** The options of an administrator's pull. */
export const OF_ADMINISTRATOR = {
  auth: undefined,
  platform: undefined,
  signal: NEVER,
  networkScope: "everywhere",
  heldNames: "move",
  permit: () => undefined,
} as const satisfies Parameters<Images["pull"]>[1];

export async function load(images: Images, archive: Uint8Array): Promise<readonly string[]> {
  return wordsOf(await gather(await images.load(streamOf(archive), { quiet: true, signal: NEVER })));
}
