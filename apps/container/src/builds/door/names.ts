import type { Reference } from "../../images/reference/reference.ts";
import { isDigest, isTag } from "../../images/reference/reference.ts";

/** An image as a builder asks the door for it. */
export type DoorTarget =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "reference"; readonly reference: Reference };

/** The registry's name in references that builders read. It leads nowhere but to the door. */
export const DOOR_DOMAIN = "door.berth";

/** Where a builder puts its result. */
export const RESULT_REPOSITORY = "result";

/**
 * The reference under which a builder pulls an image. A registry's name has letters that no repository has, so it is written in hex;
 * a digest becomes a tag, because the engine's manifest of an image need not be the registry's.
 */
export function formatDoorName(target: DoorTarget): string {
  if (target.kind === "id") return `${DOOR_DOMAIN}/id/${target.id.replace("sha256:", "")}:latest`;
  const { domain, path, tag = "latest", digest } = target.reference;
  const host = Buffer.from(domain).toString("hex");
  return digest === undefined
    ? `${DOOR_DOMAIN}/tag/${host}/${path}:${tag}`
    : `${DOOR_DOMAIN}/digest/${host}/${path}:${digest.replace("sha256:", "")}`;
}

/** What a repository and tag of the door mean; undefined for nothing. */
export function parseDoorName(repository: string, tag: string): DoorTarget | undefined {
  const [kind, host = "", ...path] = repository.split("/");
  if (kind === "id") {
    const id = `sha256:${host}`;
    return isDigest(id) && path.length === 0 && tag === "latest" ? { kind, id } : undefined;
  }
  if (path.length === 0 || !/^(?:[0-9a-f]{2})+$/.test(host)) return undefined;
  const named = { domain: Buffer.from(host, "hex").toString(), path: path.join("/") };
  if (kind === "tag") return isTag(tag) ? { kind: "reference", reference: { ...named, tag } } : undefined;
  const digest = `sha256:${tag}`;
  return kind === "digest" && isDigest(digest) ? { kind: "reference", reference: { ...named, digest } } : undefined;
}
