import type { Image, ImageOrigin } from "./images.ts";

/** An image of one layer without content; `fields` overrides the defaults. */
export function someImage(fields: Partial<Image> = {}): Image {
  return {
    id: `sha256:${"a".repeat(64)}`,
    manifest: {
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      digest: `sha256:${"d".repeat(64)}`,
      size: 7,
      platform: { architecture: "amd64", os: "linux" },
    },
    repoTags: ["busybox:latest"],
    repoDigests: [],
    taggedAt: "",
    parent: "",
    createdAt: "2026-01-01T00:00:00Z",
    architecture: "amd64",
    variant: "",
    os: "linux",
    author: "",
    comment: "",
    dockerVersion: "",
    container: "",
    size: 0,
    layerSizes: [],
    config: {},
    layers: "",
    diffIds: [],
    history: [],
    ...fields,
  };
}

/** What decisions read of it. */
export function someOrigin(id: string): ImageOrigin {
  return { references: [id, "docker.io/library/busybox:latest"], builtFrom: undefined };
}
