import type { Logger } from "pino";
import type { KubernetesConfig } from "./config-kubernetes.ts";
import type { Database } from "./db/database.ts";
import { FleetPlacings } from "./db/fleet/placings.ts";
import type { Placement } from "./fleet/fleet.ts";
import { KubernetesPlacement } from "./fleet/placements/kubernetes.ts";
import { NAMED } from "./fleet/placements/named.ts";
import { PodKeeper } from "./fleet/placements/pod-keeper.ts";
import type { Signals } from "./fleet/signals.ts";

interface Parts {
  readonly config: KubernetesConfig | undefined;
  readonly db: Database;
  readonly signals: Signals;
  readonly log: Pick<Logger, "info" | "warn">;
  /** See `openKubernetes`. */
  readonly secret: string;
}

/** What finds hosts for places: Kubernetes, whose Pods the keeper follows, or the user. Throws if the kubeconfig cannot be used. */
export async function openPlacement({
  config,
  db,
  signals,
  log,
  secret,
}: Parts): Promise<{ readonly placement: Placement; readonly keeper: PodKeeper | undefined }> {
  if (config === undefined) return { placement: NAMED, keeper: undefined };
  // Its client takes 70 MiB of memory.
  const { openKubernetes } = await import("./kubernetes/open-kubernetes.ts");
  const pods = openKubernetes(config, secret);
  const placings = new FleetPlacings(db);
  const onLeftBehind = (id: number, fault: unknown) =>
    log.warn({ place: id, err: fault }, "failed to delete the Pod of a place that was not granted; trying again");
  return {
    placement: new KubernetesPlacement(pods, placings, onLeftBehind),
    keeper: new PodKeeper({ pods, placings, signals, log }),
  };
}
