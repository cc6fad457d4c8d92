import { setTimeout as delay } from "node:timers/promises";
import { CoreV1Api, KubeConfig, type V1Node, type V1Pod } from "@kubernetes/client-node";
import type { ControlPlane } from "../../../../../tools/kubernetes.testing.ts";

const NAMESPACE = "berth";
const TICK_MS = 50;
const RENEW_MS = 1_000;

/** Nodes whose kubelet is this: it says that their Pods run, lets those go that are deleted, and renews the Nodes' leases. */
export class TestNodes {
  readonly #api: CoreV1Api;
  readonly #names = new Set<string>();
  readonly #silent = new Set<string>();
  #isOver = false;
  #running: Promise<void> = Promise.resolve();
  /** Why a Node cannot run a Pod, as a kubelet says it; undefined where it can. */
  waitingFor: (node: string) => string | undefined = () => undefined;
  /** Whether Pods that were deleted stay until they are let go. */
  holdsDeleted = false;

  constructor(plane: ControlPlane) {
    const config = new KubeConfig();
    config.loadFromFile(plane.kubeconfig("admin"));
    this.#api = config.makeApiClient(CoreV1Api);
  }

  begin(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async add(name: string): Promise<void> {
    const labels = { "kubernetes.io/hostname": name };
    const size = { cpu: "8", memory: "16Gi", pods: "250" };
    await this.#api.createNode({ body: { metadata: { name, labels } } });
    this.#names.add(name);
    const ready = { type: "Ready", status: "True", reason: "KubeletReady", message: "" };
    await this.#changeNode(name, (node) => {
      const now = new Date();
      const conditions = [{ ...ready, lastHeartbeatTime: now, lastTransitionTime: now }];
      node.status = { ...node.status, capacity: size, allocatable: size, conditions };
    });
    await this.#renew(name);
    // A Node is tainted until its controller has seen it ready.
    while (((await this.node(name)).spec?.taints ?? []).length > 0) await delay(TICK_MS);
  }

  /** Its kubelet is not heard of any more. */
  silence(name: string): void {
    this.#silent.add(name);
  }

  async remove(name: string): Promise<void> {
    this.#names.delete(name);
    await this.#api.deleteNode({ name });
  }

  node(name: string): Promise<V1Node> {
    return this.#api.readNode({ name });
  }

  async pods(): Promise<readonly V1Pod[]> {
    return (await this.#api.listNamespacedPod({ namespace: NAMESPACE })).items;
  }

  /** Removes all Pods and Nodes at once. */
  async clear(): Promise<void> {
    await this.#api.deleteCollectionNamespacedPod({ namespace: NAMESPACE, body: { gracePeriodSeconds: 0 } });
    for (const name of [...this.#names]) await this.remove(name);
    this.#silent.clear();
    this.waitingFor = () => undefined;
    this.holdsDeleted = false;
  }

  async create(pod: V1Pod): Promise<void> {
    await this.#api.createNamespacedPod({ namespace: NAMESPACE, body: pod });
  }

  async #changeNode(name: string, change: (node: V1Node) => void): Promise<void> {
    for (;;) {
      const node = await this.node(name);
      change(node);
      const outcome = await this.#api.replaceNodeStatus({ name, body: node }).then(
        () => "changed",
        (fault: { readonly code?: number }) => {
          if (fault.code !== 409) throw fault;
          return "overtaken";
        },
      );
      if (outcome === "changed") return;
    }
  }

  #renew(name: string): Promise<void> {
    return this.#changeNode(name, (node) => {
      // The controller of Nodes called it unknown where a renewal came late.
      for (const condition of node.status?.conditions ?? [])
        if (condition.type === "Ready") Object.assign(condition, { status: "True", lastHeartbeatTime: new Date() });
    });
  }

  async #run(): Promise<void> {
    // The API server may be away, or what is changed be gone meanwhile.
    const pods = async () => {
      while (!this.#isOver) {
        await this.#tick().catch(() => undefined);
        await delay(TICK_MS);
      }
    };
    const leases = async () => {
      while (!this.#isOver) {
        const heard = [...this.#names].filter((name) => !this.#silent.has(name));
        await Promise.allSettled(heard.map((name) => this.#renew(name)));
        await delay(RENEW_MS);
      }
    };
    await Promise.all([pods(), leases()]);
  }

  async #tick(): Promise<void> {
    const pods = (await this.pods()).filter(({ spec }) => this.#isHeard(spec?.nodeName));
    await Promise.allSettled(
      pods.map(async (pod) => {
        const { name = "", deletionTimestamp } = pod.metadata ?? {};
        if (deletionTimestamp === undefined && pod.status?.phase === "Pending")
          await this.#answer(pod, name, this.waitingFor(pod.spec?.nodeName ?? ""));
        if (deletionTimestamp !== undefined && !this.holdsDeleted)
          await this.#api.deleteNamespacedPod({ namespace: NAMESPACE, name, body: { gracePeriodSeconds: 0 } });
      }),
    );
  }

  #isHeard(node: string | undefined): boolean {
    return node !== undefined && this.#names.has(node) && !this.#silent.has(node);
  }

  async #answer(pod: V1Pod, name: string, reason: string | undefined): Promise<void> {
    if (reason !== undefined && (pod.status?.containerStatuses ?? []).length > 0) return;
    const waiting = {
      name: "place",
      image: "",
      imageID: "",
      ready: false,
      restartCount: 0,
      state: { waiting: { reason: reason ?? "" } },
    };
    const status =
      reason === undefined ? { ...pod.status, phase: "Running" } : { ...pod.status, containerStatuses: [waiting] };
    await this.#api.replaceNamespacedPodStatus({ namespace: NAMESPACE, name, body: { ...pod, status } });
  }
}
