import type { VersionDefaults } from "../../containers/records/config.ts";
/** The minor number of a Docker Engine API version; the major is 1 in all of them. */
export type ApiVersion = number;

/** The newest served version, advertised in `Api-Version`. Raise it only with tests for the gates below. */
export const NEWEST_VERSION: ApiVersion = 41;

/** The oldest served version, except for the routes in `legacyRoutes`. */
const OLDEST_VERSION: ApiVersion = 24;

/** Create, start, inspect and list also serve older clients. */
const OLDEST_LEGACY_VERSION: ApiVersion = 6;

const LEGACY_ROUTES: readonly RegExp[] = [/^\/containers\/(create|json)$/, /^\/containers\/[^/]+\/(start|json)$/];

/**
 * Changes by API version (Docker's API version history). A route checks `version >= since.x`; no other part of the service knows
 * version numbers.
 */
export const SINCE = {
  unchangedIs304: 13,
  mountsInInspect: 20,
  networksInInspect: 21,
  sizeInInspect: 21,
  jsonErrors: 24,
  startBodyRefused: 24,
  autoRemove: 25,
  nameValueSecurityOptions: 25,
  binaryWebSocket: 28,
  networkListWithoutContainers: 28,
  waitConditions: 30,
  pullPlatform: 32,
  privateIpcDefault: 40,
  nonRecursiveBinds: 40,
  pidsLimitInUpdate: 40,
  createPlatform: 41,
  statsOneShot: 41,
  referenceFilterOnly: 41,
  multiplexedContentType: 42,
  waitConditionChecked: 42,
  webSocketStreams: 42,
  stopSignal: 42,
  pruneAnonymousVolumesOnly: 42,
  swarmInPing: 42,
} as const satisfies Readonly<Record<string, ApiVersion>>;

/** Formats 41 as `1.41`. */
export function formatVersion(version: ApiVersion): string {
  return `1.${version}`;
}

/** The oldest served version, as `version` and error messages show it. */
export const oldestVersionText = formatVersion(OLDEST_VERSION);

export type Negotiated =
  | { readonly ok: true; readonly version: ApiVersion }
  /** `version` selects the form of the error body. */
  | { readonly ok: false; readonly version: ApiVersion; readonly message: string };

/**
 * Resolves the version of a request. `named` is the `/v1.x` segment without its `v`, undefined without one.
 * Versions compare number by number (1.9 is before 1.12, 1.41.0 is 1.41).
 */
export function negotiateVersion(named: string | undefined, path: string): Negotiated {
  if (named === undefined) return { ok: true, version: NEWEST_VERSION };
  const [major = 0, minor = 0] = named.split(".").map((part) => Number(part) || 0);
  if (major > 1 || (major === 1 && minor > NEWEST_VERSION)) {
    const message = `client version ${named} is too new. Maximum supported API version is ${formatVersion(NEWEST_VERSION)}`;
    return { ok: false, version: NEWEST_VERSION, message };
  }
  const oldest = LEGACY_ROUTES.some((route) => route.test(path)) ? OLDEST_LEGACY_VERSION : OLDEST_VERSION;
  if (major < 1 || minor < oldest) {
    const message = `client version ${named} is too old. Minimum supported API version is ${formatVersion(oldest)}, please upgrade your client to a newer version`;
    return { ok: false, version: major < 1 ? 0 : minor, message };
  }
  return { ok: true, version: minor };
}

/** The create defaults of this version. */
export function createDefaults(version: ApiVersion): VersionDefaults {
  return {
    honoursAutoRemove: version >= SINCE.autoRemove,
    ipcMode: version >= SINCE.privateIpcDefault ? "private" : "shareable",
    honoursNonRecursive: version >= SINCE.nonRecursiveBinds,
  };
}
