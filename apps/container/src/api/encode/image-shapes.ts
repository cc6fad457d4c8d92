import { ZERO_TIME } from "../../engine/moment.ts";
import type { Image, ImageConfig, ManifestSummary } from "../../images/images.ts";
import { type ApiVersion, fieldsAt, SINCE } from "../versions/changes.ts";
import { descriptorShape } from "./descriptor-shape.ts";

/** `Config` of an image. Before API 1.50 it has fields of a container's configuration, always empty. */
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

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000) || 0;
}

/** `GET /images/{name}/json`, with the fields of the given version. */
export function imageInspectShape(
  image: Image,
  version: ApiVersion,
  { manifests, containers }: Pick<ImageUse, "manifests" | "containers">,
) {
  return fieldsAt(version, "imageInspect", {
    Id: image.id,
    RepoTags: image.repoTags,
    RepoDigests: image.repoDigests,
    Parent: image.parent,
    Comment: image.comment,
    ...((image.createdAt !== ZERO_TIME || version < SINCE.createdOmitted) && { Created: image.createdAt }),
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
    Descriptor: descriptorShape(image.manifest),
    ...(manifests !== undefined && { Manifests: manifests.map((each) => manifestShape(each, containers)) }),
  });
}

/** One entry of `Manifests`: the image for one platform. */
function manifestShape({ manifest, contentSize, unpackedSize }: ManifestSummary, containers: readonly string[]) {
  return {
    ID: manifest.digest,
    Descriptor: descriptorShape(manifest),
    Available: true,
    Size: { Content: contentSize, Total: contentSize + unpackedSize },
    Kind: "image",
    ImageData: { Platform: manifest.platform, Size: { Unpacked: unpackedSize }, Containers: containers },
  };
}

/** What an entry of a list shows beside the image itself. */
export interface ImageUse {
  /** The containers that use it. */
  readonly containers: readonly string[];
  /** Bytes of the layers that other images have, too; -1 if not counted. */
  readonly sharedSize: number;
  /** Absent where the request does not ask for them. */
  readonly manifests?: readonly ManifestSummary[] | undefined;
}

/** One entry of `GET /images/json`, with the fields of the given version. */
export function imageListShape(image: Image, use: ImageUse, version: ApiVersion) {
  const { repoDigests, repoTags } = image;
  const none = repoDigests.length === 0 && repoTags.length === 0 && version < SINCE.untaggedImagesEmpty;
  return fieldsAt(version, "imageList", {
    Containers: version < SINCE.imageContainers ? -1 : use.containers.length,
    Created: seconds(image.createdAt),
    Id: image.id,
    Labels: image.config.Labels ?? null,
    ParentId: image.parent,
    Descriptor: descriptorShape(image.manifest),
    ...(use.manifests !== undefined && { Manifests: use.manifests.map((each) => manifestShape(each, use.containers)) }),
    RepoDigests: none ? ["<none>@<none>"] : repoDigests,
    RepoTags: none ? ["<none>:<none>"] : repoTags,
    SharedSize: use.sharedSize,
    Size: image.size,
    VirtualSize: image.size,
  });
}

/** An image of `GET /system/df`, which is the same at every version but for `VirtualSize`. */
export function imageUsageShape(image: Image, { containers, sharedSize }: Pick<ImageUse, "containers" | "sharedSize">) {
  return {
    Containers: containers.length,
    Created: seconds(image.createdAt),
    Id: image.id,
    Labels: image.config.Labels ?? null,
    ParentId: image.parent,
    Descriptor: descriptorShape(image.manifest),
    RepoDigests: orNull(image.repoDigests),
    RepoTags: orNull(image.repoTags),
    SharedSize: sharedSize,
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
