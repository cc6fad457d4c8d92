import type { V1Pod } from "@kubernetes/client-node";
import type { PlaceWish } from "../fleet/place.ts";

const MANAGED_BY = "app.kubernetes.io/managed-by";
const FLEET = "berth/fleet";

/** What all Pods of one fleet have in common. Two directories on two databases may share a namespace and do not touch each other's. */
export interface PodFamily {
  /** Of small letters and digits. */
  readonly fleet: string;
  readonly namespace: string;
  /** Has `sleep`. */
  readonly image: string;
}

/** How long the host may take to stop what runs in a place whose Pod is deleted; Kubernetes kills what is left then. */
const GRACE_SECONDS = 600;
/** Longer than anybody waits: not every `sleep` knows `infinity`. */
const FOREVER = "2147483647";

export function podName({ fleet }: Pick<PodFamily, "fleet">, id: number): string {
  return `place-${fleet}-${id}`;
}

/** The id that a Pod's name carries; undefined where it is no place's. */
export function placeIdOf({ fleet }: Pick<PodFamily, "fleet">, name: string): number | undefined {
  const start = `place-${fleet}-`;
  const digits = name.startsWith(start) ? name.slice(start.length) : "";
  return /^[1-9][0-9]{0,15}$/.test(digits) ? Number(digits) : undefined;
}

export function familySelector({ fleet }: Pick<PodFamily, "fleet">): string {
  return `${MANAGED_BY}=berth,${FLEET}=${fleet}`;
}

/**
 * The Pod that holds a place's room and ports on a Node while Berth runs what is in it under the Pod's control group. Its own process
 * sleeps, and as the first of its namespace it ignores SIGTERM: so the grace period is the time that Berth has to stop the rest.
 *
 * @param hosts the Nodes that may get it, by their names.
 */
export function podManifest(family: PodFamily, id: number, wish: PlaceWish, hosts: readonly string[]): V1Pod {
  const { memory, cpu } = wish.size;
  const size = { memory: String(memory), cpu: `${Math.round(cpu * 1_000)}m` };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName(family, id),
      namespace: family.namespace,
      labels: {
        [MANAGED_BY]: "berth",
        [FLEET]: family.fleet,
        "berth/user": String(wish.userId),
        "berth/place": wish.name,
      },
    },
    spec: {
      hostNetwork: true,
      restartPolicy: "Always",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: GRACE_SECONDS,
      // Without these, five minutes without a control plane would delete every place.
      tolerations: ["not-ready", "unreachable"].map((key) => ({
        ...{ key: `node.kubernetes.io/${key}`, operator: "Exists", effect: "NoExecute" },
      })),
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            // Terms are alternatives, and a field takes one value.
            nodeSelectorTerms: hosts.map((host) => ({
              matchFields: [{ key: "metadata.name", operator: "In", values: [host] }],
            })),
          },
        },
      },
      containers: [
        {
          name: "place",
          image: family.image,
          imagePullPolicy: "IfNotPresent",
          command: ["sleep", FOREVER],
          resources: { requests: size, limits: size },
          ports: wish.ports.flatMap(({ start, end, protocol }) =>
            Array.from({ length: end - start + 1 }, (_, at) => ({
              ...{ hostIP: "0.0.0.0", hostPort: start + at, containerPort: start + at },
              protocol: protocol.toUpperCase(),
            })),
          ),
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
    },
  };
}
