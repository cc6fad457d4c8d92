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

/** Whether builders may put images into the repository. */
export function isResult(repository: string): boolean {
  return repository === RESULT_REPOSITORY || repository.startsWith(`${RESULT_REPOSITORY}/`);
}

/** A registry and a path as BuildKit's source policy writes them, which has no functions to encode a name with. */
function parsePlainName(kind: string, parts: readonly string[], tag: string): DoorTarget | undefined {
  const [port, host, ...path] = kind.endsWith("port") ? parts : ["", ...parts];
  if (host === undefined || path.length === 0 || (port !== "" && !/^\d+$/.test(port ?? ""))) return undefined;
  const named = { domain: port === "" ? host : `${host}:${port}`, path: path.join("/") };
  if (isDigest(tag)) return { kind: "reference", reference: { ...named, digest: tag } };
  const digest = `sha256:${tag}`;
  if (kind.startsWith("pin"))
    return isDigest(digest) ? { kind: "reference", reference: { ...named, digest } } : undefined;
  return isTag(tag) ? { kind: "reference", reference: { ...named, tag } } : undefined;
}

const PLAIN_KINDS: ReadonlySet<string> = new Set(["image", "port", "pin", "pin-port"]);

/** What a repository and tag of the door mean; undefined for nothing. */
export function parseDoorName(repository: string, tag: string): DoorTarget | undefined {
  const [kind = "", host = "", ...path] = repository.split("/");
  if (PLAIN_KINDS.has(kind)) return parsePlainName(kind, [host, ...path], tag);
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
