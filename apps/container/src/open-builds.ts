import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Opened } from "@berth/service-kit";
import { Buildah } from "./builds/buildah/buildah.ts";
import { BuildKit } from "./builds/buildkit/buildkit.ts";
import { LocalBuilds } from "./builds/builds-service.ts";
import { Door } from "./builds/door/door.ts";
import { BuildQueue } from "./builds/queue.ts";
import type { BuildUsage } from "./builds/usage.ts";
import type { Config } from "./config.ts";
import type { ArchiveFiles } from "./containers/archive/files.ts";
import type { Context } from "./containers/context.ts";
import { runningPid } from "./containers/lifecycle/host-resources.ts";
import { resolvConfFile } from "./containers/spec/file-contents.ts";
import { createBuildStore } from "./db/build-store.ts";
import type { Database } from "./db/database.ts";
import { SYSTEM_CLOCK } from "./engine/clock.ts";
import type { Log } from "./engine/log.ts";
import { isPlace } from "./engine/owners.ts";
import { diskUsage } from "./host/content-size.ts";
import { NATIVE_DIR } from "./host/native-dir.ts";
import { SECCOMP_PATH } from "./host/package-files.ts";
import type { ImageContext } from "./images/context.ts";
import type { Images } from "./images/images.ts";
import type { HostPlaces } from "./places/places-service.ts";
import { DEFAULT_CAPABILITIES } from "./runtimes/containerd/spec/capabilities.ts";

interface BuildParts {
  readonly config: Config;
  readonly log: Log;
  readonly db: Database;
  readonly opened: Opened;
  readonly imageContext: ImageContext;
  readonly images: Images;
  /** What the containers' use cases stand on. */
  readonly context: Context;
  readonly files: ArchiveFiles;
  readonly usage: BuildUsage;
  readonly places: Pick<HostPlaces, "groupOf" | "groupNameOf">;
}

/** The host's resolvers, as for a container that names none. */
const NO_DNS = { hostConfig: { Dns: [], DnsOptions: [], DnsSearch: [] } };

/** How many builds of one owner may wait and run. */
const MOST_PER_OWNER = 16;

/** Opens the builds, and the door through which their builders reach the store. Takes away what an earlier run left. */
export async function openBuilds({
  config,
  log,
  db,
  opened,
  imageContext,
  images,
  context,
  places,
  ...rest
}: BuildParts) {
  const { files, usage } = rest;
  const { registry, host, networks, events, storage, owners } = context;
  const socket = join(config.runDir, "door.sock");
  const door = opened.keep(await Door.open(socket, log), (door) => door.close());
  const steps = { capabilities: DEFAULT_CAPABILITIES, seccompProfile: await readFile(SECCOMP_PATH, "utf8") };
  const program = join(NATIVE_DIR, "builder");
  const queue = { running: config.builds.running, perOwner: MOST_PER_OWNER };
  const { timeoutMs } = config.builds;
  const store = createBuildStore(db);
  const storageOf = (owner: string) => storage.of(owner);
  const groups = {
    enter: (owner: string) => places.groupOf(owner) ?? config.instance,
    nameOf: (owner: string) => (isPlace(owner) ? places.groupNameOf(owner) : config.instance),
  };
  const builder = new Buildah({ groups, program, door: socket, steps, limits: host.limits, log });
  const builds = new LocalBuilds({
    builder,
    door,
    store,
    images,
    imageContext,
    sources: {
      networks,
      pidOf: (actor, ref) => runningPid(context, registry.resolve(actor, ref).id, "network"),
      resolvConf: async (sandbox) => {
        return resolvConfFile(NO_DNS, await context.files.readHost(), sandbox ?? "host");
      },
    },
    files,
    host,
    containers: () => registry.all(),
    storageOf,
    caches: usage.caches,
    measure: diskUsage,
    owners,
    held: usage.held,
    events,
    clock: SYSTEM_CLOCK,
    log,
    folder: join(config.stateDir, "builds"),
    queue,
    timeoutMs,
  });
  opened.keep(builds, (builds) => builds.close());
  await builds.recover();
  const buildKit = new BuildKit({
    builder,
    address: config.buildKit,
    doorAddress: config.buildKit === undefined ? "" : await door.listenOnLoopback(),
    door,
    images,
    imageContext,
    storageOf,
    queue: new BuildQueue(queue),
    store,
    clock: SYSTEM_CLOCK,
    timeoutMs,
    log,
  });
  opened.keep(buildKit, (buildKit) => buildKit.close());
  return { builds, buildKit };
}
