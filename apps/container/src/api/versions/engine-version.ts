/**
 * The engine version that clients compare with: the Docker release that Berth behaves like. Berth's own version follows as build
 * metadata, since clients would take a bare `0.1.0` for a Docker of 2013 and some would refuse it.
 */
export function engineVersion(berthVersion: string): string {
  return `28.5.2+berth.${berthVersion}`;
}
