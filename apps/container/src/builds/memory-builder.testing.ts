import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Builder, BuilderJob, BuildFolders, BuildOutcome } from "./builder.ts";
import type { DoorKey } from "./door/door.ts";
import { RESULT_REPOSITORY } from "./door/names.ts";

function sha256(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** A builder that gives an image of nothing but its configuration, and counts what it left on the host. */
export class MemoryBuilder implements Builder {
  /** The builds that have something on the host. */
  readonly there = new Set<string>();
  readonly image: string;
  readonly #config: Buffer;

  /** @param label tells its images from those of others */
  constructor(label: string) {
    const config = { Labels: { label } };
    const rootfs = { type: "layers", diff_ids: [] };
    this.#config = Buffer.from(JSON.stringify({ os: "linux", architecture: "amd64", config, rootfs }));
    this.image = sha256(this.#config);
  }

  missing = async (): Promise<undefined> => undefined;
  fetch = async (): Promise<void> => undefined;
  evict = async (): Promise<void> => undefined;
  entries = async (): Promise<readonly never[]> => [];

  build = async ({ id, folders }: BuilderJob): Promise<BuildOutcome> => {
    this.there.add(id);
    await mkdir(join(folders.work, "root"), { recursive: true });
    return { kind: "built", image: this.image, stages: [] };
  };

  push = async ({ door }: BuilderJob): Promise<void> => {
    const { session } = door as DoorKey;
    const config = this.#config;
    await session.write(
      (async function* () {
        yield config;
      })(),
    );
    const mediaType = "application/vnd.docker.distribution.manifest.v2+json";
    const descriptor = {
      mediaType: "application/vnd.docker.container.image.v1+json",
      digest: this.image,
      size: this.#config.length,
    };
    const manifest = { schemaVersion: 2, mediaType, config: descriptor, layers: [] };
    await session.put(RESULT_REPOSITORY, "latest", Buffer.from(JSON.stringify(manifest)));
  };

  clear = async (id: string, _owner: string, folders: BuildFolders): Promise<void> => {
    this.there.delete(id);
    await rm(folders.work, { recursive: true, force: true });
  };
}
