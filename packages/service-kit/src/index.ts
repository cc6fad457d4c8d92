export {
  createClient,
  type Database,
  type DatabaseOptions,
  MAY_BE_LOST,
  type OpenDatabase,
  openDatabase,
  privateDatabaseUrl,
  whenAvailable,
} from "./database.ts";
export { type DatabaseFault, type DatabaseOutage, databaseFault, databaseOutage } from "./database-fault.ts";
export { holdFolder } from "./hold-folder.ts";
export { releaseIdleMemory } from "./idle-memory.ts";
export { type ListenAddress, listenFault, parseListen } from "./listen.ts";
export { announce, createLog, logDestination } from "./log.ts";
export { type Answered, createMetrics, secondsHistogram, serveMetrics } from "./metrics.ts";
export { onReload } from "./on-reload.ts";
export { type Ending, Opened } from "./opened.ts";
export { type PeerCertificate, peerCertificateOf } from "./peer-certificate.ts";
export {
  InvalidSettings,
  SETTING_FORMS,
  type SettingForm,
  settingFaults,
  settingsOrExit,
  wholeNumber,
} from "./settings.ts";
export { openSupervisor, type Supervisor } from "./supervisor.ts";
export { readTls, type TlsCredentials, type TlsFiles, tlsSettings } from "./tls.ts";
export type { TracedStep, Traces } from "./traced.ts";
export { openTraces } from "./traces.ts";
