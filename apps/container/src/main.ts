import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import {
  announce,
  createLog,
  logDestination,
  Opened,
  onReload,
  openSupervisor,
  openTraces,
  releaseIdleMemory,
  settingsOrExit,
} from "@berth/service-kit";
import type { pino } from "pino";
import { Gate } from "./api/http/gate.ts";
import { createIdentify } from "./api/http/identify.ts";
import { openListeners, planListeners } from "./api/http/listeners.ts";
import { createApp } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { createArchives } from "./containers/archive/archives-service.ts";
import { createContainers } from "./containers/containers-service.ts";
import { reconcile } from "./containers/lifecycle/reconcile.ts";
import { createNetworkMembers } from "./containers/networks/members-service.ts";
import { Registry } from "./containers/records/registry.ts";
import { keepGuarding } from "./containers/storage/storage-guard.ts";
import { StorageMeter } from "./containers/storage/storage-meter.ts";
import { createContainerStore } from "./db/container-store.ts";
import { openPostgres } from "./db/postgres.ts";
import { HOST_ADMINISTRATOR } from "./engine/actor.ts";
import { SYSTEM_CLOCK } from "./engine/clock.ts";
import { KeyedLock } from "./engine/concurrency/keyed-lock.ts";
import type { ContainerId } from "./engine/ids.ts";
import { SYSTEM_RANDOM } from "./engine/random.ts";
import { createContainerFiles } from "./host/container-files.ts";
import { engineId } from "./host/engine-id.ts";
import { openLinuxHost } from "./host/linux-host.ts";
import { NATIVE_DIR } from "./host/native-dir.ts";
import { HOST_PROCESSES } from "./host/processes.ts";
import { openMetrics } from "./metrics.ts";
import { openHostNft } from "./networks/filter/host-nft.ts";
import { removeInstance } from "./networks/sweep.ts";
import { openActions } from "./open-actions.ts";
import { openBuilds } from "./open-builds.ts";
import { followFleet } from "./open-fleet.ts";
import { openNetworking } from "./open-networking.ts";
import { openPlaces } from "./open-places.ts";
import { openState } from "./open-state.ts";
import { openStorage } from "./open-storage.ts";
import { clearPlace } from "./places/clear-place.ts";
import { NO_DIRECTORY, type OwnToken, openDirectory } from "./policy/open-directory.ts";
import { hostReport } from "./reporting/host-report.ts";
import { HostReporter } from "./reporting/host-reporter.ts";
import { createArchiveFiles } from "./rootfs/in-rootfs.ts";
import { patienceOf } from "./runtimes/containerd/client/patience.ts";
import { connectDaemon, DEFAULT_HOST_SOCKET } from "./runtimes/containerd/daemon/daemon.ts";
import { openContainerdRuntime } from "./runtimes/containerd/runtime.ts";
import { clearRuncFolders } from "./runtimes/containerd/tasks/runc-state.ts";
import { clearAllSockets } from "./runtimes/containerd/tasks/shim-sockets.ts";
import { traceContainers } from "./traces.ts";

/** What the other parts stand on: the database, containerd and nftables. */
async function openGround(config: Config, log: pino.Logger, opened: Opened, waits: (reason: string) => void) {
  const hostSocket = config.containerdSocket ?? DEFAULT_HOST_SOCKET;
  const { instance, stateDir, runDir } = config;
  const [database, daemon] = await Promise.all([
    openPostgres(config.databaseUrl),
    connectDaemon({ instance, stateDir, runDir, hostSocket, waits, patience: patienceOf(config.patiencePercent) }),
  ]);
  opened.keep(database, ({ close }) => close());
  opened.keep(daemon, {
    close: ({ release }) => release(),
    teardown: async ({ stop, containerd }) => {
      await stop();
      await clearRuncFolders(instance);
      await clearAllSockets(containerd);
    },
  });
  const { containerd } = daemon;
  const opening = openContainerdRuntime({
    containerd,
    containerdState: daemon.state,
    ownContainerd: daemon.own,
    instance,
    stateDir,
    runDir,
    onPlain: (thrown) => log.warn({ err: thrown }, "failed to install the quicker shim; using containerd's"),
  });
  const runtime = opened.keep(await opening, (runtime) => runtime.close());
  const nft = opened.keep(await openHostNft(), {
    close: () => undefined,
    teardown: (nft) => removeInstance(instance, nft),
  });
  return { db: database.db, containerd, runtime, nft };
}

/** Everything but the listeners, in the order in which each part stands on those before. */
async function open(
  config: Config,
  log: pino.Logger,
  opened: Opened,
  { directory, gate }: { readonly directory: OwnToken; readonly gate: Gate },
) {
  const ground = await openGround(config, log, opened, (reason) => {
    log.warn({ reason }, "waiting at start");
    gate.waits(reason);
  });
  const { db, runtime } = ground;
  const { actions, refusals } = openActions({ db, report: directory.reportActions, log }, opened);
  const { networks, ports, warnings } = await openNetworking(config, log, ground, opened);
  const { events, imageContext, images, volumes, quota, usage } = await openStorage(config, log, ground, opened);
  const host = await openLinuxHost({
    id: await engineId(config.stateDir),
    stateDirectory: config.stateDir,
    berthVersion: "0.1.0",
    runtime: await runtime.version(),
    mirrors: config.registryMirror === undefined ? [] : [config.registryMirror],
    insecureRegistries: config.insecureRegistries,
  });
  const { cpus, cpuRealtime, limits, apparmor, cgroupVersion } = host.facts;
  const registry = new Registry(createContainerStore(db), {
    onUnwritten: (id, fault) =>
      log.error({ container: id, err: fault }, "failed to write a container's row; trying again until it succeeds"),
  });
  const assertRoom = async () => void (await quota.free());
  const storage = new StorageMeter({ registry, runtime, volumes, log, assertRoom, ofBuilds: usage.bytesOf });
  const defaults = {
    cgroupnsMode: cgroupVersion === "2" ? "private" : "host",
    defaultHostIp: config.defaultHostIp,
    ...{ limits, apparmor },
  } as const;
  const owners = new KeyedLock<string>();
  const { held } = usage;
  const base = { config, db, ports, registry, owners, held, facts: host.facts, host: defaults, log };
  const { places, lease } = await openPlaces({ ...base, askOwner: directory.askOwner });
  const askOwner = (owner: string) => places.askOwner(owner);
  const service = createContainers(
    {
      registry,
      locks: new KeyedLock(),
      owners,
      runtime,
      images,
      networks,
      ports,
      volumes,
      files: createContainerFiles(join(config.stateDir, "containers")),
      storage,
      held,
      askOwner,
      placeGroup: (owner) => places.groupOf(owner),
      actions,
      events,
      clock: SYSTEM_CLOCK,
      random: SYSTEM_RANDOM,
      log,
      host: { ...defaults, cpus, cpuRealtime, userLogs: config.userLogs, stateDirectory: config.stateDir },
    },
    HOST_PROCESSES,
  );
  opened.keep(service, {
    close: ({ close }) => close(),
    teardown: async ({ stopAll, close }) => {
      await stopAll();
      await close();
    },
  });
  const { containers, context } = service;
  await reconcile(context, await registry.load());
  service.watch();
  const stop = (id: ContainerId) => containers.stop(HOST_ADMINISTRATOR, id, {});
  const report = async () =>
    hostReport({
      engineVersion: host.facts.berthVersion,
      containers: registry.all(),
      leases: ports.leases(),
      reservations: ports.reservations(),
      processPorts: await ports.processPorts(),
      refusals,
      held: held.all(),
      storageOf: (owner) => storage.of(owner),
      host: context.host,
    });
  opened.keep(keepGuarding({ storage, registry, askOwner, actions, log, stop }), (end) => end());
  const files = createArchiveFiles(join(NATIVE_DIR, "in-rootfs"), quota);
  const { builds, buildKit } = await openBuilds({
    config,
    log,
    db,
    opened,
    imageContext,
    images,
    context,
    files,
    usage,
    places,
  });
  opened.keep(places, (places) => places.close());
  places.begin((owner) => clearPlace({ registry, containers, networks, volumes, images, builds }, owner));
  return {
    db,
    builds,
    buildKit,
    archives: createArchives(context, files),
    members: createNetworkMembers(context),
    containers,
    images,
    networks,
    ports,
    places,
    unnamedPlace: config.unnamedPlace,
    lease,
    volumes,
    events,
    actions,
    host,
    warnings,
    report,
  };
}

async function serveUntilStopped(config: Config, log: pino.Logger): Promise<void> {
  const opened = new Opened();
  const plan = await planListeners(config);
  const directory = opened.keep(await openDirectory(config), (directory) => directory.close());
  await openState(config, log, opened);
  const gate = new Gate();
  const listeners = await openListeners(gate, plan, config);
  const parts = await open(config, log, opened, { directory, gate });
  const answered = await openMetrics(config.metrics, parts, opened);
  const traced = traceContainers(await openTraces("berth-container", { env: process.env, log }), config, opened);
  opened.keep(new HostReporter({ ...parts, send: directory.reportHost, log }), (reporter) => reporter.close());
  const { whoseLogin } = directory;
  followFleet({ config, log, opened, directory, ...parts });
  gate.open(createApp({ ...parts, identify: createIdentify(directory), whoseLogin, log, answered, traced }));
  // They are opened before the parts, for clients of a start that waits, and closed before them.
  opened.keep(listeners, ({ close }) => close());
  onReload(log, async () => {
    await directory.reload();
    await listeners.reload();
  });
  opened.keep(releaseIdleMemory(), ({ close }) => close());
  await supervisor.ready();
  announce(`berth: the container service listens on ${config.socket}`);
  log.info(
    { socket: config.socket, tcp: config.listen, tls: config.tls?.listen, users: config.userSockets },
    "listening",
  );
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
  log.info("stopping; containers go on");
  await supervisor.stopping();
  await opened.end("close");
}

async function tearDown(config: Config, log: pino.Logger): Promise<void> {
  const opened = new Opened();
  await openState(config, log, opened);
  await open(config, log, opened, { directory: NO_DIRECTORY, gate: new Gate() });
  await opened.end("teardown");
}

// After an idle while V8 collects the whole heap whenever it grew by a third, buffers included: 20 times for an image of 300 MB.
setFlagsFromString("--heap-growing-percent=200");
const config = settingsOrExit(() => readConfig(process.env));
const supervisor = openSupervisor(process.env);
const log = createLog("container", { level: config.logLevel, destination: logDestination() });

try {
  await (process.argv[2] === "teardown" ? tearDown : serveUntilStopped)(config, log);
} catch (fault) {
  log.fatal({ err: fault }, "the container service cannot go on");
  // What was opened on the way may keep the process alive, and nothing is left to wait for.
  process.exit(1);
}
