import { SETTING_FORMS } from "@berth/service-kit";
import { z } from "zod";

const IN_CLUSTER = "in-cluster";

/** The settings of placing by Kubernetes. */
export const KUBERNETES_ENVIRONMENT = {
  BERTH_KUBERNETES_CONFIG: z
    .string()
    .refine(
      (text) => text === IN_CLUSTER || SETTING_FORMS.absolutePath.matches(text),
      `want ${IN_CLUSTER}, or the absolute path of a kubeconfig`,
    )
    .optional(),
  BERTH_KUBERNETES_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "want the name of a namespace, such as berth")
    .default("berth"),
  BERTH_KUBERNETES_IMAGE: z
    .string()
    .regex(/^[\w./:@-]{1,500}$/, "want the name of an image that has sleep, such as busybox:stable")
    .default("busybox:stable"),
};

/** How Kubernetes places. */
export interface KubernetesConfig {
  /** `in-cluster`, or the path of a kubeconfig. */
  readonly kubeconfig: string;
  readonly namespace: string;
  /** What the place's Pod sleeps in. */
  readonly image: string;
}

type Values = z.output<z.ZodObject<typeof KUBERNETES_ENVIRONMENT>>;

/** Undefined where users name the hosts of their places. */
export function kubernetesConfig(values: Values): KubernetesConfig | undefined {
  const { BERTH_KUBERNETES_CONFIG: kubeconfig } = values;
  if (kubeconfig === undefined) return undefined;
  return { kubeconfig, namespace: values.BERTH_KUBERNETES_NAMESPACE, image: values.BERTH_KUBERNETES_IMAGE };
}
