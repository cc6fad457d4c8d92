import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { arch } from "node:os";
import { join } from "node:path";
import { portSet } from "@berth/port-spec";
import { createLog, settingsOrExit } from "@berth/service-kit";
import { pino } from "pino";
import { createIdentify } from "./api/http/identify.ts";
import { openListeners, planListeners } from "./api/http/listeners.ts";
import { createApp } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { createArchives } from "./containers/archive/archives-service.ts";
import { createContainers } from "./containers/containers-service.ts";
import { reconcile } from "./containers/lifecycle/reconcile.ts";
import { createNetworkMembers } from "./containers/networks/members-service.ts";
import { Registry } from "./containers/records/registry.ts";
import { createContainerStore } from "./db/container-store.ts";
import { holdState } from "./db/hold-state.ts";
import { createLeaseStore } from "./db/lease-store.ts";
import { createNetworkStore } from "./db/network-store.ts";
import { openPostgres } from "./db/postgres.ts";
import { createVolumeStore } from "./db/volume-store.ts";
import { SYSTEM_CLOCK } from "./engine/clock.ts";
import { KeyedLock } from "./engine/keyed-lock.ts";
import { SYSTEM_RANDOM } from "./engine/random.ts";
import { createJournal } from "./events/journal.ts";
import { createContainerFiles } from "./host/container-files.ts";
import { createDiskQuota } from "./host/disk-quota.ts";
import { openLinuxHost } from "./host/linux-host.ts";
import { NATIVE_DIR } from "./host/native-dir.ts";
import { HOST_PROCESSES } from "./host/processes.ts";
import { createImages } from "./images/images-service.ts";
import { platformOf } from "./images/manifest/platform.ts";
import { openRegistry } from "./images/registry/registry.ts";
import { BridgeNetworks } from "./networks/networks-service.ts";
import { openNft } from "./networks/nft.ts";
import { removeInstance } from "./networks/sweep.ts";
import { openDirectory } from "./policy/open-directory.ts";
import { readKernelPorts } from "./ports/kernel-ports.ts";
import { HostPorts } from "./ports/ports-service.ts";
import { createArchiveFiles } from "./rootfs/in-rootfs.ts";
import { connectDaemon, DEFAULT_HOST_SOCKET } from "./runtimes/containerd/daemon/daemon.ts";
import { containerdImageStore } from "./runtimes/containerd/images/image-store.ts";
import { openContainerdRuntime } from "./runtimes/containerd/runtime.ts";
import { clearRuncFolders } from "./runtimes/containerd/tasks/runc-state.ts";
import { createVolumeFolders, unmountVolumes } from "./volumes/folders.ts";
import { LocalVolumes } from "./volumes/volumes-service.ts";

/** The engine's identity, the same over restarts. */
async function engineId(stateDir: string): Promise<string> {
  const path = join(stateDir, "engine-id");
  const known = await readFile(path, "utf8").catch(() => undefined);
  if (known !== undefined) return known.trim();
  const id = randomUUID();
  await writeFile(path, `${id}\n`, { mode: 0o644 });
  return id;
}

/** Everything but the listeners: opened in the order in which each stands on the one before, closed the other way round. */
async function open(config: Config, log: pino.Logger) {
  await mkdir(config.stateDir, { recursive: true, mode: 0o711 });
  await mkdir(config.runDir, { recursive: true, mode: 0o755 });
  const state = await holdState(config, (fault) => {
    log.fatal({ err: fault }, "another container service has taken the state over; containers go on");
    process.exit(1);
  });
  const [database, daemon, kernel] = await Promise.all([
    openPostgres(config.databaseUrl),
    connectDaemon({
      instance: config.instance,
      stateDir: config.stateDir,
      runDir: config.runDir,
      hostSocket: config.containerdSocket ?? DEFAULT_HOST_SOCKET,
    }),
    readKernelPorts(),
  ]);
  const { db } = database;
  const { containerd } = daemon;
  const events = createJournal();

  const runtime = await openContainerdRuntime({
    containerd,
    instance: config.instance,
    stateDir: config.stateDir,
    runDir: config.runDir,
  });
  const nft = openNft();
  const networks = new BridgeNetworks({
    instance: config.instance,
    nft,
    store: createNetworkStore(db),
    subnet: config.subnet,
    poolSize: config.poolSize,
    log,
  });
  const ports = new HostPorts({
    instance: config.instance,
    nft,
    store: createLeaseStore(db),
    kernel: config.defaultHostIp === undefined ? kernel : { ...kernel, anyAddress: [config.defaultHostIp] },
    ...(config.dynamicPorts === undefined ? {} : { dynamic: portSet(config.dynamicPorts) }),
    log,
  });
  const registries = openRegistry({
    mirrors: config.registryMirror === undefined ? [] : [config.registryMirror],
    insecure: config.insecureRegistries,
    proxy: config.proxy,
    retry: { attempts: 5, delayMs: 1_000 },
  });
  const quota = createDiskQuota(config.stateDir, config.quota);
  const images = await createImages({
    store: containerdImageStore(containerd, quota),
    quota,
    registry: registries,
    events,
    platform: platformOf(arch()),
    concurrency: 3,
    warn: (message) => log.warn(message),
  });
  const volumesDir = join(config.stateDir, "volumes");
  const volumes = await LocalVolumes.open(createVolumeStore(db), createVolumeFolders(volumesDir), {
    events,
    now: SYSTEM_CLOCK.now,
  });
  const host = await openLinuxHost({
    id: await engineId(config.stateDir),
    stateDirectory: config.stateDir,
    berthVersion: "0.1.0",
    runtime: await runtime.version(),
    mirrors: config.registryMirror === undefined ? [] : [config.registryMirror],
    insecureRegistries: config.insecureRegistries,
  });
  const registry = new Registry(createContainerStore(db));
  const {
    containers,
    context,
    stopAll,
    close: closeContainers,
  } = createContainers(
    {
      registry,
      locks: new KeyedLock(),
      owners: new KeyedLock(),
      runtime,
      images,
      networks,
      ports,
      volumes,
      files: createContainerFiles(join(config.stateDir, "containers")),
      events,
      clock: SYSTEM_CLOCK,
      random: SYSTEM_RANDOM,
      log,
      host: {
        cpus: host.facts.cpus,
        cpuRealtime: host.facts.cpuRealtime,
        limits: host.facts.limits,
        cgroupnsMode: host.facts.cgroupVersion === "2" ? "private" : "host",
      },
    },
    HOST_PROCESSES,
  );
  await reconcile(context, await registry.load());

  return {
    deps: {
      archives: createArchives(context, createArchiveFiles(join(NATIVE_DIR, "in-rootfs"), quota)),
      members: createNetworkMembers(context),
      containers,
      images,
      networks,
      volumes,
      events,
      host,
    },
    stopAll,
    close: async () => {
      await closeContainers();
      await ports.close();
      await networks.close();
      await registries.close();
      await nft.close();
      await runtime.close();
      daemon.release();
      await database.close();
      await state.release();
    },
    /** Takes every trace off the host; the state stays. */
    teardown: async () => {
      await stopAll();
      await closeContainers();
      await ports.close();
      await networks.close();
      await unmountVolumes(volumesDir);
      await registries.close();
      await removeInstance(config.instance, nft);
      await nft.close();
      await runtime.close();
      await daemon.stop();
      await clearRuncFolders(config.instance);
      await database.close();
      await state.release();
    },
  };
}

async function serveUntilStopped(config: Config, log: pino.Logger): Promise<void> {
  const plan = await planListeners(config);
  const directory = await openDirectory(config);
  const service = await open(config, log);
  const app = createApp({ ...service.deps, identify: createIdentify(directory), log });
  const listeners = await openListeners(app, plan, config);
  process.stdout.write(`berth: the container service listens on ${config.socket}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
  log.info("stopping; containers go on");
  await listeners.close();
  await directory.close();
  await service.close();
}

const config = settingsOrExit(() => readConfig(process.env));
const log = createLog("container", { level: config.logLevel, destination: pino.destination({ dest: 2, sync: true }) });

try {
  if (process.argv[2] === "teardown") await (await open(config, log)).teardown();
  else await serveUntilStopped(config, log);
} catch (fault) {
  log.fatal({ err: fault }, "the container service cannot go on");
  // What was opened on the way may hold the process: there is nothing left to wait for.
  process.exit(1);
}
