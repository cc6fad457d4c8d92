import {
  CoreV1Api,
  createConfiguration,
  type KubeConfig,
  type RequestContext,
  type ResponseContext,
  ServerConfiguration,
} from "@kubernetes/client-node";

const DEADLINE_MS = 10_000;

/** The API of Pods, every call of which ends within ten seconds. Throws if the configuration names no cluster. */
export function coreApi(config: KubeConfig): CoreV1Api {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error("the kubeconfig has no current context with a cluster");
  return new CoreV1Api(
    createConfiguration({
      baseServer: new ServerConfiguration(cluster.server, {}),
      authMethods: { default: config },
      promiseMiddleware: [
        {
          async pre(request: RequestContext) {
            request.setSignal(AbortSignal.timeout(DEADLINE_MS));
            return request;
          },
          post: async (response: ResponseContext) => response,
        },
      ],
    }),
  );
}
