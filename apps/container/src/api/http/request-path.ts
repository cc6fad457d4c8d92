/** The parts of a request target that routing uses. */
export interface RequestPath {
  /** The digits and dots of the `/v1.x` segment. */
  readonly version: string | undefined;
  /** The place that `/places/NAME` before everything else names. */
  readonly place: string | undefined;
  /** Without version and query; still percent-encoded. */
  readonly path: string;
}

/** A path that matches no route; replaces an invalid path. */
export const NO_SUCH_PATH = "/\u0000";

/** The one path that dockerd routes with a slash at its end too. */
const LISTED = /^((?:\/places\/[^/]+)?(?:\/v[0-9.]+)?\/networks)\/$/;

/**
 * Splits a request target (origin or absolute form). A path with an empty, `.` or `..` segment (encoded or not), a backslash or a NUL
 * matches nothing: dockerd redirects to the cleaned path, which turns a POST into another request.
 */
export function splitRequestTarget(target: string): RequestPath {
  const [asked = ""] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").split(/[?#]/, 1);
  const untilQuery = asked.replace(LISTED, "$1");
  const segments = untilQuery.split("/").slice(1);
  const dots = segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  const dirty = !untilQuery.startsWith("/") || dots || segments.includes("") || /\\|%00|%5c/i.test(untilQuery);
  if (dirty) return { version: undefined, place: undefined, path: untilQuery === "/" ? "/" : NO_SUCH_PATH };
  const [, place, inPlace] = /^\/places\/([^/]+)(\/.*)$/.exec(untilQuery) ?? [];
  const within = inPlace ?? untilQuery;
  const versioned = /^\/v([0-9.]+)(\/.*)$/.exec(within);
  return { version: versioned?.[1], place, path: ownedContainer(versioned?.[2] ?? within) };
}

/** `/containers/OWNER/NAME/VERB`, as clients write an administrator's reference, with its slash encoded: one segment for the routes. */
function ownedContainer(path: string): string {
  return path.replace(
    /^\/containers\/([0-9]+(?:@[a-z0-9-]+)?)\/(?!attach\/ws$|checkpoints\/)([^/]+\/[^/]+(?:\/ws)?)$/,
    "/containers/$1%2F$2",
  );
}
