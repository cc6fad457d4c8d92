import { ZERO_TIME } from "../../engine/moment.ts";
import { imageIdsOf } from "../../images/catalogue.ts";
import type { Image, ImageConfig, ManifestSummary } from "../../images/images.ts";
import type { IndexEntry } from "../../images/manifest/manifest.ts";
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
  { manifests, usersOf }: Pick<ImageUse, "manifests" | "usersOf">,
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
    Descriptor: targetShape(image),
    ...(manifests !== undefined && { Manifests: manifests.map((each) => manifestShape(each, usersOf)) }),
  });
}

/** The descriptor of what the image's name means. */
function targetShape({ index, entry, manifest }: Image) {
  return entry === undefined ? descriptorShape(index?.descriptor ?? manifest) : entryShape(entry);
}

/** The descriptor that an index has of one of its manifests. */
function entryShape(entry: IndexEntry) {
  return { ...descriptorShape(entry), ...(entry.platform && { platform: entry.platform }) };
}

/** One entry of `Manifests`: the image for one platform, or an attestation. */
function manifestShape(summary: ManifestSummary, usersOf: ImageUse["usersOf"]) {
  const { descriptor, kind, available, contentSize, unpackedSize, platform, imageId, attests } = summary;
  return {
    ID: descriptor.digest,
    Descriptor: entryShape(descriptor),
    Available: available,
    Size: { Content: contentSize, Total: contentSize + unpackedSize },
    Kind: kind,
    ...(kind === "image" && {
      ImageData: {
        Platform: platform ?? { architecture: "", os: "" },
        Size: { Unpacked: unpackedSize },
        Containers: imageId === undefined ? null : usersOf(imageId),
      },
    }),
    ...(attests !== undefined && { AttestationData: { For: attests } }),
  };
}

/** What an entry of a list shows beside the image itself. */
export interface ImageUse {
  /** The containers that use an image, by its id. */
  readonly usersOf: (imageId: string) => readonly string[];
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
    Containers: version < SINCE.imageContainers ? -1 : countUsers(image, use),
    Created: seconds(image.createdAt),
    Id: image.id,
    Labels: image.config.Labels ?? null,
    ParentId: image.parent,
    Descriptor: targetShape(image),
    ...(use.manifests !== undefined && { Manifests: use.manifests.map((each) => manifestShape(each, use.usersOf)) }),
    RepoDigests: none ? ["<none>@<none>"] : repoDigests,
    RepoTags: none ? ["<none>:<none>"] : repoTags,
    SharedSize: use.sharedSize,
    Size: image.size,
    VirtualSize: image.size,
  });
}

/** An image of `GET /system/df`, which is the same at every version but for `VirtualSize`. */
export function imageUsageShape(image: Image, { usersOf, sharedSize }: Pick<ImageUse, "usersOf" | "sharedSize">) {
  return {
    Containers: countUsers(image, { usersOf }),
    Created: seconds(image.createdAt),
    Id: image.id,
    Labels: image.config.Labels ?? null,
    ParentId: image.parent,
    Descriptor: targetShape(image),
    RepoDigests: orNull(image.repoDigests),
    RepoTags: orNull(image.repoTags),
    SharedSize: sharedSize,
    Size: image.size,
    VirtualSize: image.size,
  };
}

/** How many containers use the image, for any platform. */
function countUsers({ id, index }: Image, { usersOf }: Pick<ImageUse, "usersOf">): number {
  return imageIdsOf({ imageId: id, index }).flatMap(usersOf).length;
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
