import { isEngineError } from "../errors.ts";
import type { ImageConfig } from "../images/images.ts";
import type { CommitRequest } from "./archives.ts";
import type { ContainerConfig } from "./config.ts";
import type { Container, ContainerId } from "./container.ts";
import { containerEvent } from "./container-event.ts";
import type { Context } from "./context.ts";
import { mergeImage } from "./merge-image.ts";
import { paused, resumed } from "./state.ts";

/** What an image keeps of a configuration; the rest is of one container. */
const imageConfig = (config: ContainerConfig): ImageConfig => ({
  User: config.User,
  Env: config.Env,
  Entrypoint: config.Entrypoint,
  Cmd: config.Cmd,
  WorkingDir: config.WorkingDir,
  Labels: config.Labels,
  OnBuild: config.OnBuild,
  ...(config.ExposedPorts ? { ExposedPorts: config.ExposedPorts } : {}),
  ...(config.Volumes ? { Volumes: config.Volumes } : {}),
  ...(config.StopSignal ? { StopSignal: config.StopSignal } : {}),
  ...(config.Healthcheck ? { Healthcheck: { ...config.Healthcheck } } : {}),
  ...(config.Shell ? { Shell: config.Shell } : {}),
});

/** The container's configuration with the request's over it, as an image's lies under a container's (moby `daemon/commit.go`). */
export const committedConfig = (container: ContainerConfig, request: Partial<ContainerConfig>): ImageConfig => {
  const { Healthcheck: _, StopSignal: __, ...rest } = container;
  const asked = { ...rest, User: "", Env: [], Entrypoint: null, Cmd: null, WorkingDir: "", Volumes: null, Labels: {} };
  const exposed = { ...container.ExposedPorts, ...request.ExposedPorts };
  return imageConfig({
    ...mergeImage({ ...asked, ...request }, imageConfig(container)),
    ...(Object.keys(exposed).length > 0 ? { ExposedPorts: exposed } : {}),
  });
};

/** Ends the pause that a commit began, unless another request ended it, or the process. */
const thaw = async (context: Context, id: ContainerId): Promise<void> => {
  const { registry, runtime } = context;
  if (registry.get(id)?.state.status !== "paused") return;
  try {
    await runtime.resume(id);
  } catch (thrown) {
    if (isEngineError(thrown, "not-found")) return; // its exit is on its way
    throw thrown;
  }
  const container = await registry.update(id, (before) =>
    before.state.status === "paused" ? { ...before, state: resumed(before.state) } : before,
  );
  containerEvent(context, container, "unpause");
};

/** Runs `work` while no process of the container runs on, as far as it has one. */
const frozen = async <T>(context: Context, { id, state }: Container, work: () => Promise<T>): Promise<T> => {
  const { registry, runtime } = context;
  if (state.status !== "running") return await work();
  try {
    await runtime.pause(id);
  } catch (thrown) {
    if (isEngineError(thrown, "not-found")) return await work(); // it ended meanwhile
    throw thrown;
  }
  try {
    const container = await registry.update(id, (before) => ({ ...before, state: paused(before.state) }));
    containerEvent(context, container, "pause");
    return await work();
  } finally {
    await thaw(context, id);
  }
};

/** `POST /commit`: answers the id of the new image. */
export const commitContainer = async (
  context: Context,
  container: Container,
  request: CommitRequest,
): Promise<string> => {
  const { images, runtime } = context;
  const { id, config } = container;
  const parent = await images.get(container.imageId);
  const { repo, tag, author, comment, changes } = request;
  const commit = async (): Promise<string> => {
    const layer = await runtime.diff(id);
    try {
      return await images.commit(layer, {
        parent,
        container: { id, config: { ...config } },
        config: committedConfig(config, request.config),
        changes,
        repo,
        tag,
        author,
        comment,
        createdBy: (config.Cmd ?? []).join(" "),
      });
    } finally {
      layer.destroy();
    }
  };
  const imageId = request.pause ? await frozen(context, container, commit) : await commit();
  const imageRef = repo === "" ? "" : `${repo}:${tag || "latest"}`;
  containerEvent(context, container, "commit", { comment, imageID: imageId, imageRef });
  return imageId;
};
