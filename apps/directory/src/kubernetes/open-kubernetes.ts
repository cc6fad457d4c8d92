import { createHash } from "node:crypto";
import { KubeConfig } from "@kubernetes/client-node";
import type { KubernetesConfig } from "../config-kubernetes.ts";
import { KubernetesPods } from "./kubernetes-pods.ts";

/**
 * Reads how to reach the cluster; connects to nothing yet. Throws if the kubeconfig cannot be used.
 *
 * @param secret the database's own: it tells this fleet's Pods from those of another directory in the namespace.
 */
export function openKubernetes({ kubeconfig, namespace, image }: KubernetesConfig, secret: string): KubernetesPods {
  const config = new KubeConfig();
  try {
    if (kubeconfig === "in-cluster") config.loadFromCluster();
    else config.loadFromFile(kubeconfig);
    const fleet = createHash("sha256").update(`fleet ${secret}`).digest("hex").slice(0, 8);
    return new KubernetesPods(config, { fleet, namespace, image });
  } catch (cause) {
    throw new Error(`BERTH_KUBERNETES_CONFIG: ${kubeconfig} cannot be used`, { cause });
  }
}
