export { openEmbedded } from "./embedded-database.ts";
export { holdFolder } from "./hold-folder.ts";
export { type ListenAddress, parseListen } from "./listen.ts";
export { createLog } from "./log.ts";
export { type PeerCertificate, peerCertificateOf } from "./peer-certificate.ts";
export { InvalidSettings, settingFaults, settingsOrExit } from "./settings.ts";
export { readTls, type TlsCredentials, type TlsFiles, tlsSettings } from "./tls.ts";
