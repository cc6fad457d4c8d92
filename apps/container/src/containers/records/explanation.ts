import type { Decision } from "@berth/directory-domain";
import type { PortAssignment } from "@berth/port-spec";

/** What would become of a request to create and start a container. */
export interface Explanation {
  /** Undefined for an administrator, whom no constraint binds, and where no constraint could permit it. */
  readonly decision: Decision | undefined;
  /** Why it is refused whatever the constraints; undefined where it is not. */
  readonly refusal: string | undefined;
  /** What a start would get of the host's ports now. */
  readonly ports: readonly PortAssignment[];
  /** Why a start would fail now although the constraints permit it: somebody else has a port. */
  readonly conflict: string | undefined;
  readonly warnings: readonly string[];
}
