import type { VersionDefaults } from "../../containers/records/config.ts";
/** The minor number of a Docker Engine API version; the major is 1 in all of them. */
export type ApiVersion = number;

/** The newest version served, advertised in `Api-Version`; raise it once the gates below are tested. */
export const NEWEST_VERSION: ApiVersion = 41;

/** The oldest version served, apart from the routes in `legacyRoutes`. */
const OLDEST_VERSION: ApiVersion = 24;

/** Create, start, inspect and list answer clients from the days when ports were young. */
const OLDEST_LEGACY_VERSION: ApiVersion = 6;

const LEGACY_ROUTES: readonly RegExp[] = [/^\/containers\/(create|json)$/, /^\/containers\/[^/]+\/(start|json)$/];

/**
 * What changed, and with which version (Docker's API version history). A route asks `version >= since.x`; nothing else
 * in the service knows version numbers.
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

/** `1.41` of 41. */
export function formatVersion(version: ApiVersion): string {
  return `1.${version}`;
}

/** The oldest version served, as `version` and messages show it. */
export const oldestVersionText = formatVersion(OLDEST_VERSION);

export type Negotiated =
  | { readonly ok: true; readonly version: ApiVersion }
  /** `version` is what the error body's form goes by. */
  | { readonly ok: false; readonly version: ApiVersion; readonly message: string };

/**
 * The version that a request speaks. `named` is the digits and dots of its `/v1.x` segment, undefined where it has none;
 * versions compare number by number (1.9 is before 1.12, 1.41.0 is 1.41).
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

/** What a create request of this version gets by default. */
export function createDefaults(version: ApiVersion): VersionDefaults {
  return {
    honoursAutoRemove: version >= SINCE.autoRemove,
    ipcMode: version >= SINCE.privateIpcDefault ? "private" : "shareable",
    honoursNonRecursive: version >= SINCE.nonRecursiveBinds,
  };
}
