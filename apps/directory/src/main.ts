import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { hostname as nameOfHost } from "node:os";
import { dirname, join } from "node:path";
import { BASELINES } from "@berth/directory-domain";
import {
  announce,
  createLog,
  createMetrics,
  listenFault,
  logDestination,
  Opened,
  onReload,
  openSupervisor,
  openTraces,
  peerCertificateOf,
  readTls,
  releaseIdleMemory,
  serveMetrics,
  settingsOrExit,
} from "@berth/service-kit";
import { type HttpBindings, type ServerType, serve } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import { createApp } from "./app.ts";
import { createFirstAdministrator } from "./bootstrap/first-administrator.ts";
import { recoverAdministrator } from "./bootstrap/recover-administrator.ts";
import { ensureServiceToken } from "./bootstrap/service-token.ts";
import { Announcements, parseAnnouncement } from "./cache/announcements.ts";
import { readConfig } from "./config.ts";
import { readConsoleFiles } from "./console-files.ts";
import { FleetLedger } from "./db/fleet/ledger.ts";
import { openPostgres } from "./db/postgres.ts";
import { recordsIn } from "./db/records.ts";
import { Signals } from "./fleet/signals.ts";
import { pruneExpired, startHousekeeping } from "./housekeeping.ts";
import { createCursors } from "./http/cursor.ts";
import { createSealer } from "./http/sealed.ts";
import { logFault } from "./log-fault.ts";
import { openPlacement } from "./open-placement.ts";
import { openSecretBox } from "./open-secret-box.ts";
import { openSso } from "./open-sso.ts";
import { createHasher } from "./passwords/hasher.ts";
import { serveRecovery } from "./recovery-socket.ts";
import { REFERENCE_ASSETS } from "./reference-assets.ts";

const DRAIN_MS = 3_000;
const config = settingsOrExit(() => readConfig(process.env));
const supervisor = openSupervisor(process.env);
const ADMIN_TOKEN_FILE = join(config.stateDir, "admin-token");
const log = createLog("directory", { level: config.logLevel, destination: logDestination() });

const tls = config.tls && (await readTls("BERTH_DIRECTORY_TLS", config.tls).catch(cannotStart));
const opened = new Opened();
const database = opened.keep(
  await openPostgres(config.databaseUrl, { connections: config.connections }).catch(cannotStart),
  (open) => open.close(),
);
const records = recordsIn(database.db);
const announcements = new Announcements();
const listening = opened.keep(
  await database.listen(
    (payload) => announcements.publish(parseAnnouncement(payload)),
    () => announcements.publish({ all: true }),
  ),
  (feed) => feed.stop(),
);
const signals = new Signals();
const { placement, keeper } = await openPlacement({
  ...{ config: config.kubernetes, db: database.db, signals, log },
  secret: await records.setting("cursor-key"),
}).catch(cannotStart);
if (keeper !== undefined) opened.keep(keeper, (one) => one.close());
opened.keep(
  await database.listenToFleet(
    (signal) => {
      signals.publish(signal);
      keeper?.hear(signal);
    },
    () => {
      signals.missed();
      keeper?.missed();
    },
  ),
  (stop) => stop(),
);
const DEPS = {
  records,
  announcements,
  hasher: await createHasher(config.hashing),
  baseline: BASELINES[config.baseline],
  minPassLength: config.minPassLength,
  requireIfMatch: config.requireIfMatch,
  secondFactorRule: config.secondFactorRule,
  secrets: await openSecretBox(records, config.secondFactorKeyFile).catch(cannotStart),
  now: () => new Date(),
  cursors: createCursors(await records.setting("cursor-key")),
};
const sso = config.sso && (await openSso(config.sso).catch(cannotStart));
await announceFirstAdministrator();
await keepServiceToken();
await serveRecovery(join(config.stateDir, "directory", "recovery.sock"), async (login) => {
  const recovered = await recoverAdministrator({ records }, login);
  await keepToken(ADMIN_TOKEN_FILE, recovered.token);
  log.warn({ login: recovered.login }, "made an administrator on the host's request");
  return recovered;
}).then(
  (recovery) => opened.keep(recovery, (socket) => socket.close()),
  (fault: unknown) => log.warn({ err: fault }, "berth recover-admin is not available"),
);

const consoleFiles = await readConsoleFiles();
if (consoleFiles === undefined) log.warn("the web console is not built; / leads to the API's reference");
const metrics = config.metrics && createMetrics(database.db);
if (config.metrics !== undefined && metrics !== undefined)
  opened.keep(await serveMetrics(metrics.registry, "BERTH_DIRECTORY_METRICS_LISTEN", config.metrics), (serving) =>
    serving.close(),
  );
const traces = await openTraces("berth-directory", { env: process.env, log });
if (traces !== undefined) opened.keep(traces, (traces) => traces.close());

const app = createApp({
  ...DEPS,
  fleet: { ledger: new FleetLedger(database.db), signals, placement },
  sso,
  sealer: createSealer(await records.setting("cursor-key"), "single sign-on", DEPS.now),
  hosts: tls === undefined ? config.hosts : undefined,
  publicOrigin: config.publicOrigin,
  reference: REFERENCE_ASSETS,
  console: consoleFiles,
  isLive: listening.isLive,
  addressOf: (c) => getConnInfo(c).remote.address ?? "unknown",
  certificateOf: (c) => peerCertificateOf((c.env as HttpBindings).incoming.socket),
  cutOff: (c) => (c.env as HttpBindings).outgoing.destroy(),
  onFault: (fault, request) => logFault(log, fault, request),
  answered: metrics?.answered,
  traced: traces?.requests,
});
const { host: hostname, port } = config.listen;
const encrypted = tls === undefined ? {} : { createServer: createTlsServer, serverOptions: tls };
const server = opened.keep(
  serve({ fetch: app.fetch, hostname, port, ...encrypted }, (address) => {
    announce(`directory listens on ${tls === undefined ? "http" : "https"}://${hostname}:${address.port}`);
    log.info({ port: address.port }, "listening");
    void supervisor.ready();
  }),
  drain,
);
onReload(log, async () => {
  await keepServiceToken();
  if (config.tls !== undefined)
    (server as TlsServer).setSecureContext(await readTls("BERTH_DIRECTORY_TLS", config.tls));
});
server.on("error", (fault) => {
  log.fatal({ err: listenFault("BERTH_DIRECTORY_LISTEN", config.listen, fault) }, "failed to listen");
  process.exit(1);
});

opened.keep(releaseIdleMemory(), ({ close }) => close());
opened.keep(
  startHousekeeping(() =>
    pruneExpired(records, { auditDays: config.auditDays, now: new Date() }).catch((fault: unknown) =>
      log.error({ err: fault }, "housekeeping failed"),
    ),
  ),
  (housekeeping) => housekeeping.stop(),
);

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));

function cannotStart(fault: unknown): never {
  log.fatal({ err: fault }, "the directory cannot start");
  process.exit(1);
}

async function announceFirstAdministrator(): Promise<void> {
  const token = await createFirstAdministrator({ records }, (token) => keepToken(ADMIN_TOKEN_FILE, token));
  // Only where it is: supervisors keep what a service prints.
  if (token !== undefined) announce(`the first administrator's token is in ${ADMIN_TOKEN_FILE}`);
}

/** Sees to it that the container service beside this one has a token. Without one it still serves administrators, and tokens of users. */
async function keepServiceToken(): Promise<void> {
  const file = config.serviceTokenFile;
  if (file === undefined) return;
  try {
    const held = await readFile(file, "utf8").then(
      (text) => text.trim(),
      () => undefined,
    );
    const label = `${nameOfHost()}:${config.stateDir}`.slice(0, 100);
    const outcome = await ensureServiceToken(DEPS, { held, label, keep: (token) => keepToken(file, token) });
    if (outcome === "issued") log.info({ file }, "issued the container service's token");
    if (typeof outcome === "object") log.warn({ file, reason: outcome.refused }, "the container service gets no token");
  } catch (fault) {
    log.warn({ err: fault, file }, "failed to keep the container service's token");
  }
}

/** Puts a token where the host's root, and the programs that run as root, find it. */
async function keepToken(file: string, token: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.part`;
  await rm(part, { force: true });
  await writeFile(part, `${token}\n`, { mode: 0o600, flag: "wx" });
  await rename(part, file);
}

/** Lets requests in progress finish. */
async function drain(http: ServerType): Promise<void> {
  await new Promise<void>((resolve) => {
    http.close(() => resolve());
    if ("closeIdleConnections" in http) http.closeIdleConnections();
    // Event streams do not end, and slow readers must not delay the stop indefinitely.
    setTimeout(() => "closeAllConnections" in http && http.closeAllConnections(), DRAIN_MS).unref();
  });
}

async function stop(signal: string): Promise<void> {
  log.info({ signal }, "stopping");
  await supervisor.stopping();
  await opened.end("close");
  process.exit(0);
}
