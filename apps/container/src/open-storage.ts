import { arch } from "node:os";
import { join } from "node:path";
import type { Opened } from "@berth/service-kit";
import { createBuildUsage } from "./builds/usage.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import { createVolumeStore } from "./db/volume-store.ts";
import { SYSTEM_CLOCK } from "./engine/clock.ts";
import type { Log } from "./engine/log.ts";
import { createJournal } from "./events/journal.ts";
import { createDiskQuota } from "./host/disk-quota.ts";
import { imagesOf, openImageContext } from "./images/images-service.ts";
import { platformOf } from "./images/manifest/platform.ts";
import { openRegistry } from "./images/registry/registry.ts";
import type { Containerd } from "./runtimes/containerd/client/client.ts";
import { containerdImageStore } from "./runtimes/containerd/images/image-store.ts";
import { createVolumeFolders, unmountVolumes } from "./volumes/folders.ts";
import { LocalVolumes } from "./volumes/volumes-service.ts";

/** Images and volumes, and what they may take of the disk. */
export async function openStorage(
  config: Config,
  log: Log,
  { db, containerd }: { readonly db: Database; readonly containerd: Containerd },
  opened: Opened,
) {
  const events = createJournal();
  const registries = opened.keep(
    openRegistry({
      mirrors: config.registryMirror === undefined ? [] : [config.registryMirror],
      insecure: config.insecureRegistries,
      proxy: config.proxy,
      retry: { attempts: 5, delayMs: 1_000 },
    }),
    (registries) => registries.close(),
  );
  const quota = createDiskQuota(config.stateDir, config.quota);
  const imageContext = await openImageContext({
    store: containerdImageStore(containerd, quota),
    quota,
    registry: registries,
    events,
    platform: platformOf(arch()),
    concurrency: 3,
    warn: (message) => log.warn({}, message),
  });
  const folder = join(config.stateDir, "volumes");
  const volumes = opened.keep(
    await LocalVolumes.open(createVolumeStore(db), createVolumeFolders(folder), { events, now: SYSTEM_CLOCK.now }),
    { close: () => {}, teardown: () => unmountVolumes(folder) },
  );
  const usage = createBuildUsage(imageContext.library.catalogue);
  return { events, imageContext, images: imagesOf(imageContext), volumes, quota, usage };
}
