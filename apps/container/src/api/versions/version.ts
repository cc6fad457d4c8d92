import type { ApiVersion } from "./changes.ts";

/** The newest served version, advertised in `Api-Version`. 1.52 drops fields that Berth's inspect must show: see docs/decisions. */
export const NEWEST_VERSION: ApiVersion = 51;

/** The oldest served version, except for {@link LEGACY_ROUTES}. */
const OLDEST_VERSION: ApiVersion = 24;

/** Routes that serve older clients, with their oldest version. skopeo, buildah and podman transfer images at 1.22. */
const LEGACY_ROUTES: readonly (readonly [route: RegExp, oldest: ApiVersion])[] = [
  [/^\/containers\/(create|json)$/, 6],
  [/^\/containers\/[^/]+\/(start|json)$/, 6],
  [/^\/images\/(load|get|.+\/(json|history|get))$/, 12],
];

/** Formats 51 as `1.51`. */
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
 * Versions compare number by number (1.9 is before 1.12, 1.51.0 is 1.51).
 */
export function negotiateVersion(named: string | undefined, path: string): Negotiated {
  if (named === undefined) return { ok: true, version: NEWEST_VERSION };
  const [major = 0, minor = 0] = named.split(".").map((part) => Number(part) || 0);
  if (major > 1 || (major === 1 && minor > NEWEST_VERSION)) {
    const message = `client version ${named} is too new. Maximum supported API version is ${formatVersion(NEWEST_VERSION)}`;
    return { ok: false, version: NEWEST_VERSION, message };
  }
  const [, oldest = OLDEST_VERSION] = LEGACY_ROUTES.find(([route]) => route.test(path)) ?? [];
  if (major < 1 || minor < oldest) {
    const message = `client version ${named} is too old. Minimum supported API version is ${formatVersion(oldest)}, please upgrade your client to a newer version`;
    return { ok: false, version: major < 1 ? 0 : minor, message };
  }
  return { ok: true, version: minor };
}
