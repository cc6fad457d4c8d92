import { setTimeout as delay } from "node:timers/promises";
import { ApiException, type CoreV1Api, type KubeConfig, type V1Pod, Watch } from "@kubernetes/client-node";
import { DirectoryError } from "../errors/directory-error.ts";
import type { PlaceWish } from "../fleet/place.ts";
import type { Pod, PodListener, Pods } from "../fleet/placements/pods.ts";
import { coreApi } from "./core-api.ts";
import { familySelector, type PodFamily, placeIdOf, podManifest, podName } from "./pod-manifest.ts";
import { podStateOf } from "./pod-state.ts";

/** What runs in a place has ended when its Pod is deleted: the process that sleeps needs no more. */
const GRACE_SECONDS = 1;
const PAGE = 500;
const CONNECT_MS = 10_000;
/** The API server ends a watch then, and a connection that died in silence is given up a little later. */
const WATCH_SECONDS = 300;
const SILENCE_MS = 15_000;
const RETRY_MS = 1_000;

/** The Pods of a fleet's places, by Kubernetes' own client. */
export class KubernetesPods implements Pods {
  readonly #api: CoreV1Api;
  readonly #watch: Watch;
  readonly #family: PodFamily;

  constructor(config: KubeConfig, family: PodFamily) {
    this.#api = coreApi(config);
    this.#watch = new Watch(config);
    this.#family = family;
  }

  async create(id: number, wish: PlaceWish, hosts: readonly string[]): Promise<void> {
    const body = podManifest(this.#family, id, wish, hosts);
    await this.#ask(this.#api.createNamespacedPod({ namespace: this.#family.namespace, body }));
  }

  async get(id: number): Promise<Pod | undefined> {
    const { namespace } = this.#family;
    const pod = await this.#ask(
      this.#api.readNamespacedPod({ namespace, name: podName(this.#family, id) }).catch(unlessGone),
    );
    return pod === undefined ? undefined : this.#read(pod);
  }

  async all(): Promise<readonly Pod[]> {
    const { pods } = await this.#list();
    return pods;
  }

  async delete(id: number, pod?: Pod): Promise<void> {
    const { namespace } = this.#family;
    const preconditions = pod === undefined ? {} : { preconditions: { uid: pod.uid } };
    // A kubelet that waits for the end of a longer time does not let itself be hurried.
    const gracePeriodSeconds = (pod?.grace ?? 0) > GRACE_SECONDS ? 0 : GRACE_SECONDS;
    const request = { namespace, name: podName(this.#family, id) };
    await this.#ask(
      this.#api
        .deleteNamespacedPod({ ...request, body: { gracePeriodSeconds, ...preconditions } })
        .catch((fault: unknown) => {
          // Another Pod has the name.
          if (pod !== undefined && fault instanceof ApiException && fault.code === 409) return undefined;
          return unlessGone(fault);
        }),
    );
  }

  async follow(listener: PodListener, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const { version } = await this.#list();
        listener.connected();
        await this.#ask(this.#watchFrom(version, listener, signal));
      } catch (fault) {
        if (!signal.aborted) listener.failed(fault);
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #list(): Promise<{ readonly pods: readonly Pod[]; readonly version: string }> {
    const { namespace } = this.#family;
    const pods: Pod[] = [];
    let page: string | undefined;
    for (;;) {
      const labelSelector = familySelector(this.#family);
      const from = page === undefined ? {} : { _continue: page };
      const { items, metadata } = await this.#ask(
        this.#api.listNamespacedPod({ namespace, labelSelector, limit: PAGE, ...from }),
      );
      pods.push(...items.flatMap((one) => this.#read(one) ?? []));
      page = metadata?._continue || undefined;
      if (page === undefined) return { pods, version: metadata?.resourceVersion ?? "" };
    }
  }

  /** Ends with the connection. The client's watch knows no deadline. */
  async #watchFrom(version: string, listener: PodListener, signal: AbortSignal): Promise<void> {
    const path = `/api/v1/namespaces/${this.#family.namespace}/pods`;
    const query = {
      labelSelector: familySelector(this.#family),
      timeoutSeconds: WATCH_SECONDS,
      resourceVersion: version,
    };
    const closing = new AbortController();
    const over = AbortSignal.any([signal, closing.signal]);
    const ended = new Promise<void>((resolve, reject) => {
      const hear = (type: string, object: V1Pod) => {
        // The version is too old: everything is listed again.
        if (type === "ERROR") return resolve();
        const id = placeIdOf(this.#family, object.metadata?.name ?? "");
        if (id !== undefined) listener.changed(id);
      };
      const done = (fault: unknown) => (fault ? reject(fault) : resolve());
      const watching = this.#watch.watch(path, query, hear, done);
      // It may connect after its time is over.
      over.addEventListener("abort", () => {
        watching.then((open) => open.abort()).catch(() => undefined);
        resolve();
      });
      const connecting = setTimeout(() => reject(new Error("no answer to the watch")), CONNECT_MS);
      watching.then(() => clearTimeout(connecting), reject);
    });
    const silence = setTimeout(() => closing.abort(), WATCH_SECONDS * 1_000 + SILENCE_MS);
    try {
      await ended;
    } finally {
      clearTimeout(silence);
      closing.abort();
    }
  }

  #read(pod: V1Pod): Pod | undefined {
    const { name = "", uid, deletionGracePeriodSeconds: grace } = pod.metadata ?? {};
    const id = placeIdOf(this.#family, name);
    if (id === undefined || uid === undefined) return undefined;
    return { id, uid, host: pod.spec?.nodeName, state: podStateOf(pod), grace };
  }

  /** Throws `unavailable` with Kubernetes' words. */
  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (cause) {
      if (cause instanceof ApiException)
        throw new DirectoryError("unavailable", `Kubernetes refuses: ${reasonOf(cause)}`, { cause, retryAfter: 5 });
      throw new DirectoryError("unavailable", "Kubernetes does not answer: no place is taken meanwhile.", {
        ...{ cause, retryAfter: 5 },
      });
    }
  }
}

function unlessGone(fault: unknown): undefined {
  if (fault instanceof ApiException && fault.code === 404) return undefined;
  throw fault;
}

/** The message of the `Status` that the API server answers with. */
function reasonOf({ code, body }: ApiException<unknown>): string {
  try {
    const status: unknown = typeof body === "string" ? JSON.parse(body) : body;
    const message = (status as { readonly message?: unknown } | null)?.message;
    if (typeof message === "string") return message.slice(0, 1_000);
  } catch {
    // A proxy answered.
  }
  return `status ${code}`;
}
