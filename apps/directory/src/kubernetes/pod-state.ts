import type { V1ContainerStatus, V1Pod } from "@kubernetes/client-node";
import type { PodState } from "../fleet/placements/pods.ts";

/** Reasons for which a container waits in the ordinary course of its start. */
const STARTING = new Set(["ContainerCreating", "PodInitializing"]);

/** What a Pod's status says, in one word and Kubernetes' reason. */
export function podStateOf({ metadata, status }: V1Pod): PodState {
  const { phase = "", reason = "", message = "", conditions = [], containerStatuses = [] } = status ?? {};
  if (metadata?.deletionTimestamp !== undefined) return { kind: "leaving", reason: "the place's Pod was deleted" };
  // A Pod that is always restarted ends only if its Node rejects or evicts it.
  if (phase === "Failed" || phase === "Succeeded")
    return { kind: "leaving", reason: words("the place's Pod ended", reason, message) };
  if (phase === "Running") return { kind: "running" };
  const unscheduled = conditions.find(({ type, status: is }) => type === "PodScheduled" && is === "False");
  if (unscheduled?.reason === "Unschedulable")
    return { kind: "unschedulable", reason: unscheduled.message ?? "no Node fits" };
  return containerStatuses.map(failureOf).find((one) => one !== undefined) ?? { kind: "waiting" };
}

function failureOf({ state }: V1ContainerStatus): PodState | undefined {
  const { reason = "", message = "" } = state?.waiting ?? {};
  if (reason === "" || STARTING.has(reason)) return undefined;
  return { kind: "failing", reason: words("its kubelet cannot run the place's Pod", reason, message) };
}

function words(what: string, reason: string, message: string): string {
  return [what, ...[reason, message].filter((one) => one !== "")].join(": ");
}
