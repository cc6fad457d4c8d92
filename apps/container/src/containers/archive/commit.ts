import type { Actor } from "../../engine/actor.ts";
import { isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { ImageConfig } from "../../images/images.ts";
import { formatFamiliar, parseRepositoryTag } from "../../images/reference/reference.ts";
import type { Context } from "../context.ts";
import { mergeImage } from "../create/merge-image.ts";
import { endPauseOfCommit, pauseForCommit } from "../lifecycle/pause.ts";
import type { ContainerConfig } from "../records/config.ts";
import type { Container } from "../records/container.ts";
import { containerEvent } from "../records/container-event.ts";
import type { CommitRequest } from "./archives.ts";

/** The part of a container's configuration that belongs in an image. */
function imageConfig(config: ContainerConfig): ImageConfig {
  return {
    User: config.User,
    Env: config.Env,
    Entrypoint: config.Entrypoint,
    Cmd: config.Cmd,
    WorkingDir: config.WorkingDir,
    Labels: config.Labels,
    OnBuild: config.OnBuild,
    ...(Object.keys(config.ExposedPorts ?? {}).length > 0 ? { ExposedPorts: config.ExposedPorts } : {}),
    ...(config.Volumes ? { Volumes: config.Volumes } : {}),
    ...(config.StopSignal ? { StopSignal: config.StopSignal } : {}),
    ...(config.Healthcheck ? { Healthcheck: { ...config.Healthcheck } } : {}),
    ...(config.Shell ? { Shell: config.Shell } : {}),
  };
}

/** Merges the request's configuration over the container's, as moby does (`daemon/commit.go`). */
export function committedConfig(container: ContainerConfig, request: Partial<ContainerConfig>): ImageConfig {
  const { Healthcheck: _, StopSignal: __, ...rest } = container;
  const asked = { ...rest, User: "", Env: [], Entrypoint: null, Cmd: null, WorkingDir: "", Volumes: null, Labels: {} };
  const exposed = { ...container.ExposedPorts, ...request.ExposedPorts };
  return imageConfig({ ...mergeImage({ ...asked, ...request }, imageConfig(container)), ExposedPorts: exposed });
}

type CommitContext = Pick<Context, "registry" | "locks" | "runtime" | "images" | "events" | "supervisor" | "log">;

/** Pauses a running container and returns whether it did. */
async function freeze(
  context: Pick<Context, "registry" | "locks" | "runtime" | "supervisor" | "events">,
  actor: Actor,
  id: ContainerId,
): Promise<boolean> {
  try {
    await pauseForCommit(context, actor, id);
    return true;
  } catch (thrown) {
    // The container may exit at any moment.
    if (isEngineError(thrown, "conflict") || isEngineError(thrown, "not-found")) return false;
    throw thrown;
  }
}

/** `POST /commit`. Returns the id of the new image. */
export async function commitContainer(
  context: CommitContext,
  actor: Actor,
  container: Container,
  request: CommitRequest,
): Promise<string> {
  const { images, runtime } = context;
  const { id, config } = container;
  const parent = await images.get(container.imageId);
  const { repo, tag, author, comment, changes } = request;
  const isFrozen = request.pause && (await freeze(context, actor, id));
  try {
    const layer = await runtime.diff(id);
    try {
      const imageId = await images.commit(layer, {
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
      const named = parseRepositoryTag(repo, tag || "latest");
      const imageRef = named.ok ? formatFamiliar(named.value) : "";
      containerEvent(context, container, "commit", { comment, imageID: imageId, imageRef });
      return imageId;
    } finally {
      layer.bytes.destroy();
    }
  } finally {
    if (isFrozen) await endPauseOfCommit(context, id);
  }
}
