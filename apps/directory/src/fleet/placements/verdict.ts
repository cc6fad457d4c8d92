import type { PodRow } from "./placings.ts";
import type { Pod } from "./pods.ts";

/** What follows from a place's row and its Pod: the Pod goes, the place ends, or both stay as they are. */
export type Verdict = "delete" | "lose" | "keep";

/** @param pod as Kubernetes has it now; undefined if it has none. */
export function verdictOn(row: PodRow | undefined, pod: Pod | undefined): Verdict {
  if (row === undefined) return pod === undefined ? "keep" : "delete";
  // The directory that chooses its host deletes the Pod itself. One that is ending keeps it until its host has stopped everything.
  if (row.pod === undefined || row.state === "ending") return "keep";
  return pod === undefined || pod.uid !== row.pod || pod.state.kind === "leaving" ? "lose" : "keep";
}
