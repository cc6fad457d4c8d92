/** The moment so many seconds from now: RFC 3339, UTC. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

/** When a place ends that is taken or extended now; undefined where it lasts until it is given back. */
export function spanOf(seconds: number | undefined): { readonly until: string | undefined } {
  return { until: seconds === undefined ? undefined : inSeconds(seconds) };
}
