import { ZERO_TIME } from "../../engine/moment.ts";
import type { Image, ImageConfig } from "../../images/images.ts";

/** `Config` of an image: Go writes every field of its struct. */
function configShape(config: ImageConfig) {
  return {
    Hostname: "",
    Domainname: "",
    User: config.User ?? "",
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    ...(config.ExposedPorts !== undefined && { ExposedPorts: config.ExposedPorts }),
    Tty: false,
    OpenStdin: false,
    StdinOnce: false,
    Env: config.Env ?? null,
    Cmd: config.Cmd ?? null,
    ...(config.Healthcheck !== undefined && { Healthcheck: config.Healthcheck }),
    Image: "",
    Volumes: config.Volumes ?? null,
    WorkingDir: config.WorkingDir ?? "",
    Entrypoint: config.Entrypoint ?? null,
    OnBuild: config.OnBuild ?? null,
    Labels: config.Labels ?? null,
    ...(config.StopSignal !== undefined && { StopSignal: config.StopSignal }),
    ...(config.Shell !== undefined && { Shell: config.Shell }),
  };
}

/** Go omits an empty set of ports. */
function withoutEmptyPorts({ ExposedPorts, ...rest }: Readonly<Record<string, unknown>>) {
  return Object.keys(ExposedPorts ?? {}).length === 0 ? rest : { ...rest, ExposedPorts };
}

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000) || 0;
}

/** `GET /images/{name}/json`. */
export function imageInspectShape(image: Image) {
  return {
    Id: image.id,
    RepoTags: image.repoTags,
    RepoDigests: image.repoDigests,
    Parent: image.parent,
    Comment: image.comment,
    Created: image.createdAt,
    Container: image.container,
    ContainerConfig: { ...configShape({}), ...withoutEmptyPorts(image.containerConfig ?? {}) },
    DockerVersion: image.dockerVersion,
    Author: image.author,
    Config: configShape(image.config),
    Architecture: image.architecture,
    ...(image.variant !== "" && { Variant: image.variant }),
    Os: image.os,
    Size: image.size,
    VirtualSize: image.size,
    GraphDriver: { Data: null, Name: "overlayfs" },
    RootFS: { Type: "layers", ...(image.diffIds.length > 0 && { Layers: image.diffIds }) },
    Metadata: { LastTagTime: image.taggedAt === "" ? ZERO_TIME : image.taggedAt },
  };
}

/** One entry of `GET /images/json`; `containers` is -1 if not counted. */
export function imageListShape(image: Image, { containers }: { readonly containers: number }) {
  return {
    Containers: containers,
    Created: seconds(image.createdAt),
    Id: image.id,
    Labels: image.config.Labels ?? null,
    ParentId: image.parent,
    RepoDigests:
      image.repoDigests.length === 0 && image.repoTags.length === 0 ? ["<none>@<none>"] : orNull(image.repoDigests),
    RepoTags:
      image.repoTags.length === 0 ? (image.repoDigests.length === 0 ? ["<none>:<none>"] : null) : image.repoTags,
    SharedSize: containers === -1 ? -1 : 0,
    Size: image.size,
    VirtualSize: image.size,
  };
}

function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list;
}

/** `GET /images/{name}/history`, newest first; only the newest entry names the image. */
export function imageHistoryShape(image: Image) {
  return image.history.toReversed().map((line, index) => ({
    Comment: line.comment,
    Created: seconds(line.created),
    CreatedBy: line.createdBy,
    Id: index === 0 ? image.id : "<missing>",
    Size: line.emptyLayer ? 0 : line.size,
    Tags: index === 0 ? orNull(image.repoTags) : null,
  }));
}
